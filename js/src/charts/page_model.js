import { drawnTracksOf } from "../curve/drawn_tracks.js";
import { markLines } from "../draw/marks.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Options } from "../draw/layout.js" */

/** @typedef {Omit<Options, "wide" | "width" | "height" | "whole"> & {drawnTracks: DrawnTracks}} PageModel */

/** This much of the whole is seen around a step that is sought. */
const CLOSE = 1 / 5;

/**
 * What all panels of one picture share; null before the first row.
 * @param {Store} store
 * @param {Choice} choice
 * @param {Theme} theme
 * @param {number} width of the widest panel
 * @returns {PageModel | null}
 */
export function pageModel(store, choice, theme, width) {
	const { weight, log, zoomed } = choice;
	const drawnTracks = drawnTracksOf(store, choice, theme);
	if (!drawnTracks) return null;
	const { tracks, main, extent } = drawnTracks;
	const range = choice.range ?? padded(extent);
	const lines = markLines(store.head, tracks, range, width);
	const shared = { zoomed, weight, log, theme, drawnTracks };
	return { ...shared, axis: main.axis, range, markLines: lines };
}

/**
 * A range around a step, within what is drawn; null when the step is nowhere.
 * @param {DrawnTracks} drawnTracks
 * @param {number} step
 * @param {string} track whose step it is
 * @returns {[number, number] | null}
 */
export function around({ tracks, main, extent }, step, track) {
	const own = tracks.find((drawnTrack) => drawnTrack.track.id === track);
	const x = (own ?? main).axis.step(step);
	if (!Number.isFinite(x)) return null;
	const [from, to] = padded(extent);
	const half = ((to - from) * CLOSE) / 2;
	return [Math.max(x - half, from), Math.min(x + half, to)];
}

/**
 * @param {[number, number]} extent
 * @returns {[number, number]}
 */
function padded([from, to]) {
	if (to < from) return [0, 1];
	if (to === from) return [from - 1, from + 1];
	const pad = (to - from) / 100;
	return [from - pad, to + pad];
}
