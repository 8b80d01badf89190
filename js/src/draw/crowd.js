import { place } from "./labels.js";

/** @import { MarkLine } from "./labels.js" */

/** These come often: more are thinned evenly. Other marks are always drawn. */
const FREQUENT = ["eval", "epoch_end"];
/** So do these; the last of a kind is named, the others are known by their look. */
export const ALIKE = ["skipped", "checkpoint", "no_number"];
const LINE_PX = 25;
const LABEL_PX = 90;

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
	const alike = groups(seen.filter(({ kind }) => ALIKE.includes(kind))).flatMap(
		(lines) =>
			spread(lines, width / LINE_PX).map((line, i, all) =>
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
 * @param {MarkLine[]} lines
 * @param {number} most
 */
function labelled(lines, most) {
	const named = new Set(spread(lines, most));
	return lines.map((line) => (named.has(line) ? line : { ...line, text: "" }));
}

/**
 * Those of a kind, of each metric that they concern: these have charts of their own.
 * @param {MarkLine[]} alike
 */
function groups(alike) {
	/** @type {Map<string, MarkLine[]>} */
	const found = new Map();
	for (const line of alike) {
		const key = `${line.kind} ${line.metric}`;
		const lines = found.get(key) ?? [];
		found.set(key, lines);
		lines.push(line);
	}
	return [...found.values()];
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
