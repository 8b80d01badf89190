import { count, duration } from "../base/format.js";
import { ENDED } from "../data/store.js";
import { bandLabel, looks, shownTracks, withoutRun } from "../data/tracks.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Look } from "../data/tracks.js" */
/** @import { Head, Track } from "../protocol" */

const BROKEN = ["failed", "lost"];
/** Longer lists are folded, run by run. */
const LONG = 12;

/**
 * One line of the list: a track, or the two ends of a band.
 * @typedef {{
 *   ids: string[], label: string, look: Look, band: boolean, state: string,
 *   trouble: boolean, shown: boolean, here: boolean,
 * }} TrackRow `here`: it can be shown
 *
 * The tracks of a run, and those of them to begin with; a run of one track has no
 * title of its own.
 * @typedef {{
 *   run: string, state: string, folded: boolean, rows: TrackRow[], first: string[],
 * }} RunGroup
 */

/**
 * The tracks whose values are here, and whether there is a kernel to send others.
 * @typedef {{held: {has(id: string): boolean}, asks: boolean}} Availability
 */

/**
 * The kernel's clock now, and when a rank would have logged that is not silent.
 * @typedef {{now_s: number, heard_s: number}} Clock
 */

/**
 * What the list of tracks says.
 * @param {Head} head
 * @param {Choice} choice
 * @param {number} now_s on the kernel's clock
 * @param {Pick<Theme, "palette" | "muted">} theme
 * @param {Availability} sources
 * @returns {RunGroup[]}
 */
export function groups(head, choice, now_s, theme, sources) {
	const { tracks, silence } = head;
	const clock = { now_s, heard_s: now_s - silence.rank_s };
	const shown = shownTracks(head, choice);
	const look = looks(shown, theme);
	/** @type {Map<string, Track[]>} */
	const runs = new Map();
	for (const track of tracks) {
		runs.set(track.run, [...(runs.get(track.run) ?? []), track]);
	}
	return [...runs].map(([run, own]) => ({
		run,
		state: own.length > 1 ? summary(own, shown, clock) : "",
		folded: tracks.length > LONG && own.length > 1,
		first: first(own),
		rows: rows(own).map((tracks) => ({
			...said(tracks, shown, clock, sources),
			look: look(tracks[0]),
			shown: tracks.every((track) => shown.includes(track)),
		})),
	}));
}

/**
 * What stands for a run: what the kernel sends of it, else the band and a rank.
 * @param {Track[]} own
 */
function first(own) {
	const sent = own.filter(({ shown }) => shown);
	const rank = own.find(({ stat }) => !stat);
	const tracks = sent.length ? sent : own.filter((t) => t.stat || t === rank);
	return tracks.map(({ id }) => id);
}

/**
 * The ends of a band are shown and hidden together.
 * @param {Track[]} own
 */
function rows(own) {
	const ends = ["min", "max"].flatMap(
		(end) => own.find(({ stat }) => stat === end) ?? [],
	);
	const band = ends.length === 2 ? [ends] : [];
	const rest = own.filter((track) => !band.flat().includes(track));
	return [...band, ...rest.map((track) => [track])];
}

/**
 * @param {Track[]} tracks
 * @param {Track[]} shown
 * @param {Clock} clock
 * @param {Availability} sources
 */
function said(tracks, shown, clock, { held, asks }) {
	const [{ id, run, label, note, odd, stat }] = tracks;
	const band = tracks.length > 1;
	const name = withoutRun(run, label);
	const states = stat ? [] : progress(tracks[0], clock);
	const lacks = !held.has(id) && !tracks[0].shown;
	const waits = shown.includes(tracks[0]) ? "waiting for its values" : "";
	return {
		ids: band ? tracks.map((track) => track.id) : [id],
		label: band ? bandLabel(name) : name,
		band,
		here: !lacks || asks,
		state: [
			...states,
			odd,
			note,
			lacks ? (asks ? waits : "its values are not here") : "",
		]
			.filter(Boolean)
			.join(" · "),
		trouble:
			odd !== "" ||
			isSilent(tracks[0], clock.heard_s) ||
			BROKEN.includes(tracks[0].phase),
	};
}

/**
 * @param {Track} track
 * @param {Clock} clock
 */
function progress(track, clock) {
	const { phase, step, last_value_s } = track;
	const silent = `silent for ${duration(clock.now_s - Number(last_value_s))}`;
	return [
		phase,
		step === null ? "" : `step ${count(step)}`,
		isSilent(track, clock.heard_s) ? silent : "",
	];
}

/**
 * Whether a rank that has not ended has logged nothing since then.
 * @param {Track} track
 * @param {number} heard_s
 */
export const isSilent = ({ phase, last_value_s, stat }, heard_s) =>
	!stat &&
	!ENDED.includes(phase) &&
	last_value_s !== null &&
	last_value_s < heard_s;

/**
 * How many ranks are where, and how many are drawn.
 * @param {Track[]} own
 * @param {Track[]} shown
 * @param {Clock} clock
 */
function summary(own, shown, clock) {
	const ranks = own.filter(({ stat }) => !stat);
	/** @type {Map<string, number>} */
	const phases = new Map();
	for (const rank of ranks) {
		const phase = isSilent(rank, clock.heard_s) ? "silent" : rank.phase;
		phases.set(phase, (phases.get(phase) ?? 0) + 1);
	}
	const drawn = own.filter((track) => shown.includes(track)).length;
	const steps = ranks.flatMap(({ step }) => step ?? []);
	const [low, high] = [Math.min(...steps), Math.max(...steps)];
	const range = low === high ? count(low) : `${count(low)} to ${count(high)}`;
	return [
		`${drawn} of ${own.length} shown`,
		[...phases].map(([phase, n]) => `${n} ${phase}`).join(", "),
		steps.length ? `step ${range}` : "",
	]
		.filter(Boolean)
		.join(" · ");
}
