import { axis } from "./axes.js";
import { lines } from "./marks.js";

/** @import { Choice } from "./controls/index.js" */
/** @import { Options, Theme } from "./figure.js" */
/** @import { Store } from "./store.js" */

/** @typedef {Omit<Options, "wide" | "width" | "height">} Scene */

/** This much of the whole is seen around a step that is sought. */
const CLOSE = 1 / 5;

/**
 * What all panels of one picture share; null before the first row.
 * @param {Store} store
 * @param {Choice} choice
 * @param {Theme} theme
 * @param {number} width of the widest panel
 * @returns {Scene | null}
 */
export function scene(store, choice, theme, width) {
	const whole = extent(store, choice);
	if (!whole) return null;
	const { scale, segments, all } = whole;
	const { weight, log, zoomed } = choice;
	const range = choice.range ?? all;
	const marks = lines(store.head, scale, segments, range, width);
	return { axis: scale, range, zoomed, weight, log, theme, lines: marks };
}

/**
 * A range around a step, within the run; null when the step is nowhere.
 * @param {Store} store
 * @param {Choice} choice
 * @param {number} step
 * @returns {[number, number] | null}
 */
export function around(store, choice, step) {
	const whole = extent(store, choice);
	if (!whole) return null;
	const { scale, segments, all } = whole;
	const x = scale.step(step, segments);
	const half = ((all[1] - all[0]) * CLOSE) / 2;
	if (!Number.isFinite(x)) return null;
	return [Math.max(x - half, all[0]), Math.min(x + half, all[1])];
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
