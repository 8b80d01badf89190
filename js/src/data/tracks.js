import PALETTE from "../../../mswidget/drawing/palette.json";

/** @import { Theme } from "../base/theme.js" */
/** @import { Head, Track } from "../protocol" */
/** @import { Choice } from "./choice.js" */

export const { dashes: DASHES } = PALETTE;
const STATS = { min: "dot", mean: "dash", median: "solid", max: "dot" };

/** @typedef {{color: string, dash: string}} Look */

/**
 * The tracks that a reader sees: those of the kernel's choice, until others are chosen.
 * @param {Head} head
 * @param {Choice} choice
 */
export const shownTracks = ({ tracks }, choice) =>
	tracks.filter(({ id, shown }) => choice.tracks[id] ?? shown);

/**
 * The track that speaks for the run that is looked at.
 * @param {Head} head
 */
export const mainTrack = ({ run, tracks }) =>
	tracks.find((t) => t.run === run.name && t.rank === run.rank && !t.stat);

/**
 * What tells a track from the others that are shown; nothing where there are none.
 * @param {Track} track
 * @param {Track[]} shown
 */
export function labelOf({ run, label }, shown) {
	if (shown.length === 1) return "";
	const several = shown.some((other) => other.run !== run);
	return several ? label : withoutRun(run, label);
}

/**
 * A label without the name of the run.
 * @param {string} run
 * @param {string} label
 */
export const withoutRun = (run, label) =>
	label.startsWith(`${run} · `) ? label.slice(run.length + 3) : label;

/**
 * What the lowest and the highest of all ranks are called together.
 * @param {string} label of the lowest
 */
export const bandLabel = (label) => label.replace(/min(?= of)/, "min–max");

/**
 * A run has the colour of its number. Several are told apart by it, and their ranks by
 * dashes; the ranks of one alone by their colours, from that of the run on, and what
 * they have in common is grey. The same as `look_of` in mswidget/drawing/palette.py.
 * @param {Track[]} shown
 * @param {Pick<Theme, "palette" | "muted">} theme
 * @returns {(track: Track) => Look}
 */
export function looks(shown, { palette, muted }) {
	const several = new Set(shown.map(({ run }) => run)).size > 1;
	const size = palette.length;
	/** @param {number} number @param {number} turn @returns {Look} */
	function look(number, turn) {
		// Each lap begins with another colour: ranks 0, 8 and 16 are not all alike.
		const lap = Math.floor(number / size);
		return {
			color: palette[(number + lap) % size],
			dash: DASHES[(turn + lap) % DASHES.length],
		};
	}
	return ({ colour, rank, stat }) => {
		if (!stat) return several ? look(colour, rank) : look(colour + rank, 0);
		return {
			color: several ? look(colour, 0).color : muted,
			dash: STATS[stat],
		};
	};
}
