import { ENDED } from "./store.js";

/** @import { Axis } from "./axes.js" */
/** @import { Line } from "./figure.js" */
/** @import { Head, Mark } from "./protocol" */
/** @import { Segment } from "./segment.js" */

/** More epoch ends are thinned evenly; other marks are always drawn. */
const EPOCH_PX = 25;
const LABEL_PX = 90;
const LABEL_LENGTH = 30;

/**
 * The marks in view as lines on the x axis.
 * @param {Head} head
 * @param {Axis} axis
 * @param {Segment[]} segments
 * @param {[number, number]} range
 * @param {number} width of the widest panel
 * @returns {Line[]}
 */
export function lines(head, axis, segments, range, width) {
	const seen = head.marks
		.filter((mark, i) => isDrawn(mark, i, head))
		.map((mark) => ({
			x: axis.step(mark.step, segments),
			kind: mark.kind,
			text: label(mark),
		}))
		.filter(({ x }) => x >= range[0] && x <= range[1]);
	const epochs = seen.filter(({ kind }) => kind === "epoch_end");
	const rest = seen.filter(({ kind }) => kind !== "epoch_end");
	const kept = spread(epochs, width / EPOCH_PX);
	return [...labelled(kept, width / LABEL_PX), ...rest];
}

/**
 * The begin is worth a line only where an earlier attempt is continued.
 * @param {Mark} mark
 * @param {number} index
 * @param {Head} head
 */
function isDrawn({ kind }, index, { marks, run }) {
	if (kind !== "train_begin") {
		return ["epoch_end", "stopped", "failed"].includes(kind);
	}
	const first = marks.findIndex((mark) => mark.kind === kind) === index;
	return !first || run.attempt !== "a1";
}

/**
 * @param {Line[]} epochs
 * @param {number} most
 */
function labelled(epochs, most) {
	const named = new Set(spread(epochs, most));
	return epochs.map((line) => (named.has(line) ? line : { ...line, text: "" }));
}

/**
 * @param {Line[]} items
 * @param {number} most
 */
function spread(items, most) {
	const stride = Math.ceil(items.length / most);
	return items.filter((_, i) => (i + 1) % stride === 0);
}

/**
 * How a run ended is told above the panels in full.
 * @param {Mark} mark
 */
function label({ kind, text }) {
	if (ENDED.includes(kind)) return kind;
	return text.length > LABEL_LENGTH
		? `${text.slice(0, LABEL_LENGTH - 1)}…`
		: text;
}
