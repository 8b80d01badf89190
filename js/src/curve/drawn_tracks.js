import {
	holdings,
	labelOf,
	looks,
	mainTrack,
	shownTracks,
} from "../data/tracks.js";
import { axesOf, drawnAxis, extentOf, offered } from "./axes.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Held, Look } from "../data/tracks.js" */
/** @import { Head, Track } from "../protocol" */
/** @import { Axis, Extent } from "./axes.js" */

/**
 * A track that is drawn. `label` tells it from the others, if there are any; `begins`
 * are the last steps before its later attempts.
 * @typedef {{
 *   track: Track, label: string, look: Look, axis: Axis, metrics: Set<string>,
 *   begins: number[],
 * }} DrawnTrack
 *
 * All that are drawn, the one that is looked at, and the axes they have a place on.
 * @typedef {{
 *   tracks: DrawnTrack[], main: DrawnTrack, extent: Extent, offered: string[],
 * }} DrawnTracks
 */

/**
 * The tracks that are shown and have values; null where there are none.
 * @param {Store} store
 * @param {Choice} choice
 * @param {Pick<Theme, "palette" | "muted">} theme
 * @returns {DrawnTracks | null}
 */
export function drawnTracksOf({ head, history }, choice, theme) {
	const held = holdings(history.segments);
	const shown = shownTracks(head, choice);
	const look = looks(shown, theme);
	const placed = shown.flatMap((track) => {
		const metrics = held.get(track.id);
		if (!metrics) return [];
		return [{ track, metrics: new Set(metrics.keys()), held: all(metrics) }];
	});
	if (!placed.length) return null;
	const axes = offered(placed);
	const axisOf = axesOf(drawnAxis(choice.x, axes), placed);
	const tracks = placed.map(({ track, metrics }) => ({
		track,
		metrics,
		label: labelOf(track, shown),
		look: look(track),
		axis: /** @type {Axis} */ (axisOf.get(track.id)),
		begins: begins(head, track),
	}));
	const main = mainTrack(head);
	const ends = placed.map(({ held }, i) => extentOf(tracks[i].axis, held));
	return {
		tracks,
		main: tracks.find(({ track }) => track === main) ?? tracks[0],
		extent: [
			Math.min(...ends.map(([low]) => low)),
			Math.max(...ends.map(([, high]) => high)),
		],
		offered: axes,
	};
}

/** @param {Map<string, Held[]>} metrics */
const all = (metrics) => [...metrics.values()].flat();

/**
 * The ranks of a run begin together: the marks of one stand for all.
 * @param {Head} head
 * @param {Track} track
 */
function begins({ marks, tracks }, { run }) {
	const own = new Set(tracks.filter((t) => t.run === run).map(({ id }) => id));
	return marks
		.filter(({ kind, track }) => kind === "train_begin" && own.has(track))
		.slice(1)
		.map(({ step }) => step);
}
