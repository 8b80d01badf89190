import { axis } from "../curve/axes.js";
import { drawnTracksOf } from "../curve/drawn_tracks.js";
import { markLines } from "../draw/marks.js";
import { trackMarkLines } from "../draw/track_marks.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Options } from "../draw/layout.js" */

/** @typedef {Omit<Options, "wide" | "width" | "height"> & {drawnTracks: DrawnTracks | null}} PageModel */

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
	const shared = { zoomed, weight, log, theme };
	if (store.head.tracks) return ofTracks(store, choice, shared, width);
	const whole = extent(store, choice);
	if (!whole) return null;
	const { scale, segments, all } = whole;
	const range = choice.range ?? all;
	const marks = markLines(store.head, scale, segments, range, width);
	return { ...shared, axis: scale, range, markLines: marks, drawnTracks: null };
}

/**
 * @param {Store} store
 * @param {Choice} choice
 * @param {Pick<PageModel, "zoomed" | "weight" | "log" | "theme">} shared
 * @param {number} width
 * @returns {PageModel | null}
 */
function ofTracks(store, choice, shared, width) {
	const drawnTracks = drawnTracksOf(store, choice, shared.theme.palette);
	if (!drawnTracks) return null;
	const range = choice.range ?? padded(...drawnTracks.extent);
	const marks = trackMarkLines(store.head, drawnTracks.tracks, range, width);
	return {
		...shared,
		axis: drawnTracks.main.axis,
		range,
		markLines: marks,
		drawnTracks,
	};
}

/**
 * A range around a step, within the run; null when the step is nowhere.
 * @param {Store} store
 * @param {Choice} choice
 * @param {number} step
 * @param {string} [track] whose step it is; else of the one that is looked at
 * @returns {[number, number] | null}
 */
export function around(store, choice, step, track) {
	const whole = store.head.tracks
		? extentOfTracks(store, choice, track)
		: extent(store, choice);
	if (!whole) return null;
	const { scale, segments, all } = whole;
	const x = scale.step(step, segments);
	const half = ((all[1] - all[0]) * CLOSE) / 2;
	if (!Number.isFinite(x)) return null;
	return [Math.max(x - half, all[0]), Math.min(x + half, all[1])];
}

/**
 * What a track, or the one that is looked at, has as its axis, and what all span.
 * @param {Store} store
 * @param {Choice} choice
 * @param {string} [wanted]
 */
function extentOfTracks(store, choice, wanted) {
	const drawnTracks = drawnTracksOf(store, choice, [""]);
	if (!drawnTracks) return null;
	const all = padded(...drawnTracks.extent);
	const own = drawnTracks.tracks.find(({ track }) => track.id === wanted);
	return { scale: (own ?? drawnTracks.main).axis, segments: [], all };
}

/**
 * The x axis and what it spans.
 * @param {Store} store
 * @param {Choice} choice
 */
function extent({ head, history }, { x }) {
	const segments = history.segments.filter(({ rows }) => rows.length);
	if (!segments.length) return null;
	const last_s = Math.max(...segments.map(({ extents }) => extents.times[1]));
	const scale = axis(x, head.status, last_s);
	const ends = segments.map(scale.extent);
	const all = padded(
		Math.min(...ends.map(([low]) => low)),
		Math.max(...ends.map(([, high]) => high)),
	);
	return { scale, segments, all };
}

/**
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]}
 */
function padded(from, to) {
	if (to < from) return [0, 1];
	if (to === from) return [from - 1, from + 1];
	const pad = (to - from) / 100;
	return [from - pad, to + pad];
}
