import { drawnTracksOf } from "../curve/drawn_tracks.js";
import { markLines } from "../draw/marks.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { Moment } from "../curve/axes.js" */
/** @import { DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Options } from "../draw/layout.js" */

/**
 * `chosen` is the part that the reader has chosen; null for all.
 * @typedef {Omit<Options, "wide" | "strip" | "width" | "height" | "whole"> & {
 *   drawnTracks: DrawnTracks, chosen: [number, number] | null,
 * }} PageModel
 */

/** This much of the whole is seen around a step that is sought. */
const CLOSE = 1 / 5;

/**
 * What all panels of one picture share; null before the first row.
 * @param {Store} store
 * @param {Choice} choice
 * @param {Theme} theme
 * @param {number} width of the widest panel
 * @param {string} waits why something may not be here
 * @returns {PageModel | null}
 */
export function pageModel(store, choice, theme, width, waits) {
	const { weight, log, zoomed } = choice;
	const drawnTracks = drawnTracksOf(store, choice, theme);
	if (!drawnTracks) return null;
	const { tracks, main, span } = drawnTracks;
	const chosen = chosenRange(choice, drawnTracks);
	const range = chosen ?? roomy(span);
	const lines = markLines(store.head, tracks, range, width);
	const { references } = store.head;
	const shared = { zoomed, weight, log, theme, waits, references, drawnTracks };
	return { ...shared, axis: main.axis, chosen, range, markLines: lines };
}

/**
 * A range around a moment, within what is drawn; null when that is nowhere.
 * @param {DrawnTracks} drawnTracks
 * @param {Moment & {track: string}} moment
 * @returns {[number, number] | null}
 */
export function around({ tracks, main, span }, moment) {
	const own = tracks.find(({ track }) => track.id === moment.track);
	const x = (own ?? main).axis.moment(moment);
	if (!Number.isFinite(x)) return null;
	const [from, to] = roomy(span);
	const half = ((to - from) * CLOSE) / 2;
	return [Math.max(x - half, from), Math.min(x + half, to)];
}

/** What is followed moves on by about this share of itself. */
const MOVE = 1 / 8;

/**
 * What the reader has zoomed to, or the newest steps; null for all. On an axis that does
 * not count steps these are as large a share of what there is.
 * @param {Pick<Choice, "range" | "follow">} choice
 * @param {DrawnTracks} drawnTracks
 * @returns {[number, number] | null}
 */
export function chosenRange({ range, follow }, { main, span: [from, to] }) {
	const [first, last] = main.extent.step ?? [0, 0];
	const share = follow / (last - first + 1);
	if (range || !follow || share >= 1) return range;
	const width = share * (to - from);
	const stride = 2 ** Math.round(Math.log2(width * MOVE));
	const end = Math.ceil(to / stride) * stride;
	return [Math.floor((to - width) / stride) * stride, end];
}

/** An axis ends at a multiple of at most this share of what is drawn. */
const STRIDE = 1 / 32;

/**
 * The range in which something is seen, with a little room: it does not grow at each
 * step, since all around the curves is drawn anew then.
 * @param {[number, number]} span
 * @returns {[number, number]}
 */
export function roomy([from, to]) {
	if (to < from) return [0, 1];
	if (to === from) return [from - 1, from + 1];
	const stride = 2 ** Math.floor(Math.log2((to - from) * STRIDE));
	const pad = stride / 2;
	return [from - pad, Math.ceil((to + pad) / stride) * stride];
}
