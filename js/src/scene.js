import { axis } from "./axes.js";
import { lines } from "./marks.js";

/** @import { Choice } from "./controls/index.js" */
/** @import { Options, Theme } from "./figure.js" */
/** @import { Store } from "./store.js" */

/** @typedef {Omit<Options, "wide" | "width" | "height">} Scene */

/**
 * What all panels of one picture share; null before the first row.
 * @param {Store} store
 * @param {Choice} choice
 * @param {Theme} theme
 * @param {number} width of the widest panel
 * @returns {Scene | null}
 */
export function scene({ head, history }, choice, theme, width) {
	const { x, weight, log, zoomed } = choice;
	const segments = history.segments.filter(({ rows }) => rows.length);
	if (!segments.length) return null;
	const last_s = Math.max(...segments.map(({ extents }) => extents.times[1]));
	const scale = axis(x, head.status, last_s);
	const ends = segments.map(scale.extent);
	const all = padded(
		Math.min(...ends.map(([low]) => low)),
		Math.max(...ends.map(([, high]) => high)),
	);
	const range = choice.range ?? all;
	const marks = lines(head, scale, segments, range, width);
	return { axis: scale, range, zoomed, weight, log, theme, lines: marks };
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
