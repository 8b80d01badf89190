import { extentsOf } from "../data/store.js";
import { labelOf, looks, mainTrack, shownTracks } from "../data/tracks.js";
import { axesOf, drawnAxis, offered } from "./axes.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Look } from "../data/tracks.js" */
/** @import { Extent, Track } from "../protocol" */
/** @import { Axis } from "./axes.js" */

/**
 * A track that is drawn. `label` tells it from the others, if there are any; `extent` is
 * what all its rows span.
 * @typedef {{
 *   track: Track, label: string, look: Look, axis: Axis, extent: Extent,
 * }} DrawnTrack
 *
 * All that are drawn, the one that is looked at, what they span on the axis, and the
 * axes they have a place on.
 * @typedef {{
 *   tracks: DrawnTrack[], main: DrawnTrack, span: [number, number], offered: string[],
 * }} DrawnTracks
 */

/**
 * The tracks that are shown and have rows; null where there are none.
 * @param {Store} store
 * @param {Choice} choice
 * @param {Pick<Theme, "palette" | "muted">} theme
 * @returns {DrawnTracks | null}
 */
export function drawnTracksOf(store, choice, theme) {
	const extents = extentsOf(store);
	const shown = shownTracks(store.head, choice);
	const look = looks(shown, theme);
	const placed = shown.flatMap((track) => {
		const extent = extents.get(track.id);
		return extent?.step ? [{ track, extent }] : [];
	});
	if (!placed.length) return null;
	const axes = offered(placed);
	const axisOf = axesOf(drawnAxis(choice.x, axes), placed);
	const tracks = placed.map(({ track, extent }) => ({
		...{ track, extent, label: labelOf(track, shown), look: look(track) },
		axis: /** @type {Axis} */ (axisOf.get(track.id)),
	}));
	const main = mainTrack(store.head);
	return {
		tracks,
		main: tracks.find(({ track }) => track === main) ?? tracks[0],
		span: spanOf(tracks),
		offered: axes,
	};
}

/**
 * @param {DrawnTrack[]} tracks
 * @returns {[number, number]} none: Infinity first
 */
function spanOf(tracks) {
	const ends = tracks.flatMap(({ axis, extent }) =>
		(extent[axis.key] ?? []).map((key) => axis.of(key)),
	);
	return [
		ends.reduce((low, x) => Math.min(low, x), Infinity),
		ends.reduce((high, x) => Math.max(high, x), -Infinity),
	];
}
