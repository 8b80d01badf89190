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
	const [first, last] = [segments[0], segments.at(-1)];
	if (!first || !last) return null;
	const end = last.rows.length - 1;
	const scale = axis(x, head.status, last.times.data[end]);
	const all = padded(scale.of(first, 0), scale.of(last, end));
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
	if (!(to > from)) return [from - 1, from + 1];
	const pad = (to - from) / 100;
	return [from - pad, to + pad];
}
