import { ENDED } from "../data/store.js";
import { place } from "./labels.js";

/** @import { Axis } from "../curve/axes.js" */
/** @import { Segment } from "../data/segment.js" */
/** @import { Head, Mark } from "../protocol" */
/** @import { MarkLine } from "./labels.js" */

/** These come often: more are thinned evenly. Other marks are always drawn. */
const FREQUENT = ["eval", "epoch_end"];
/** So do these; the last of a kind is named, the others are known by their look. */
const ALIKE = ["skipped", "checkpoint"];
const LINE_PX = 25;
const LABEL_PX = 90;
const LABEL_LENGTH = 30;

/**
 * The marks in view as lines on the x axis.
 * @param {Head} head
 * @param {Axis} axis
 * @param {Segment[]} segments
 * @param {[number, number]} range
 * @param {number} width of the widest panel
 * @returns {MarkLine[]}
 */
export function markLines(head, axis, segments, range, width) {
	const seen = head.marks
		.filter((mark, i) => isDrawn(mark, i, head))
		.map((mark) => ({
			x: axis.step(mark.step, segments),
			kind: mark.kind,
			text: label(mark),
			metric: mark.metric,
		}))
		.filter(({ x }) => x >= range[0] && x <= range[1]);
	return among(seen, range, width);
}

/**
 * Those of the lines in view that do not hide each other, with room for labels.
 * @param {MarkLine[]} seen
 * @param {[number, number]} range
 * @param {number} width
 * @returns {MarkLine[]}
 */
export function among(seen, range, width) {
	const frequent = FREQUENT.map((kind) =>
		spread(
			seen.filter((line) => line.kind === kind),
			width / LINE_PX,
		),
	);
	const alike = ALIKE.flatMap((kind) =>
		spread(
			seen.filter((line) => line.kind === kind),
			width / LINE_PX,
		).map((line, i, all) =>
			i < all.length - 1 ? { ...line, text: "" } : line,
		),
	);
	const alerts = distinct(seen.filter(({ kind }) => kind === "alert"));
	const thinned = [...FREQUENT, ...ALIKE, "alert"];
	const rest = [
		...alike,
		...spread(alerts, width / LINE_PX),
		...seen.filter(({ kind }) => !thinned.includes(kind)),
	];
	// The end comes last; it is the first to get a label.
	const placed = place(rest.reverse(), range, width).reverse();
	return [
		...frequent.flatMap((group) => labelled(group, width / LABEL_PX)),
		...placed,
	];
}

/**
 * The begin is worth a line only where an earlier attempt is continued, and the
 * plain end is where the curve ends.
 * @param {Mark} mark
 * @param {number} index
 * @param {Head} head
 */
function isDrawn({ kind }, index, { marks, run }) {
	if (kind !== "train_begin") return kind !== "train_end";
	const first = marks.findIndex((mark) => mark.kind === kind) === index;
	return !first || run.attempt !== "a1";
}

/**
 * @param {MarkLine[]} lines
 * @param {number} most
 */
function labelled(lines, most) {
	const named = new Set(spread(lines, most));
	return lines.map((line) => (named.has(line) ? line : { ...line, text: "" }));
}

/**
 * One line where several say the same.
 * @param {MarkLine[]} lines
 */
const distinct = (lines) => [
	...new Map(
		lines.map((line) => [`${line.x} ${line.metric} ${line.text}`, line]),
	).values(),
];

/**
 * @param {MarkLine[]} items
 * @param {number} most
 */
function spread(items, most) {
	const stride = Math.ceil(items.length / most);
	return items.filter((_, i) => (i + 1) % stride === 0);
}

/**
 * How a run ended is told above the panels in full; an evaluation has its curve.
 * @param {Mark} mark
 */
export function label({ kind, text }) {
	if (kind === "eval") return "";
	if (ENDED.includes(kind) || ALIKE.includes(kind)) return kind;
	if (["epoch_end", "train_begin"].includes(kind)) return short(text);
	return short(text ? `${kind}: ${text}` : kind);
}

/** @param {string} text */
const short = (text) =>
	text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH - 1)}…` : text;
