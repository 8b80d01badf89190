/**
 * A mark of the training as a line in a chart.
 * @typedef {{
 *   x: number, kind: string, text: string, metric?: string, row?: number,
 *   color?: string, track?: string,
 * }} MarkLine `track` is the one on whose curve it is
 */

const ROWS = 3;

/**
 * Puts labels that would overlap below each other; where no row has room the
 * line stays without. The first lines choose first.
 * @param {MarkLine[]} lines
 * @param {[number, number]} range
 * @param {number} width in pixels of the range
 * @returns {MarkLine[]}
 */
export function place(lines, range, width) {
	/** @type {[number, number][][]} */
	const rows = Array.from({ length: ROWS }, () => []);
	return lines.map((line) => {
		const [left, right] = extent(line, range, width);
		const row = rows.findIndex((taken) =>
			taken.every(([a, b]) => right < a || left > b),
		);
		if (row < 0) return { ...line, text: "" };
		rows[row].push([left, right]);
		return { ...line, row };
	});
}

/**
 * @param {MarkLine} line
 * @param {[number, number]} range
 * @param {number} width
 */
function extent({ x, text }, range, width) {
	const at = (width * (x - range[0])) / (range[1] - range[0]);
	const size = textWidth(text);
	return leansBack(x, range) ? [at - size, at] : [at, at + size];
}

/**
 * Near the end of the panel a label stands before its line.
 * @param {number} x
 * @param {[number, number]} range
 */
export const leansBack = (x, [from, to]) => (x - from) / (to - from) > 0.9;

/** @param {string} text in the labels' small font, Chinese or not */
const textWidth = (text) =>
	[...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 11 : 6.5), 0);
