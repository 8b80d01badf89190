import { Floats } from "../base/floats.js";

/** @import { Extract, Piece } from "../protocol" */

/**
 * The numbers of a piece, as `mswidget.widget.protocol` names them: `at` are keys, or
 * numbers of buckets.
 * @typedef {Record<string, Floats>} Columns
 *
 * @typedef {Omit<Piece, "count"> & {columns: Columns}} HeldPiece
 *
 * An extract with its numbers.
 * @typedef {{header: Extract, pieces: HeldPiece[]}} Held
 */

const REDUCED = ["counts", "lows", "highs", "means", "lasts"];
const NONFINITE = ["nans", "above", "below"];

/**
 * The columns of an extract, in the order of its buffer.
 * @param {Extract} header
 */
function names({ key, level, nonfinite, weight }) {
	const steps = key === "step" ? [] : ["steps"];
	const values = level === null ? ["values"] : REDUCED;
	const odd = nonfinite ? NONFINITE : [];
	return ["at", ...steps, ...values, ...odd, ...(weight ? ["smooth"] : [])];
}

/** @param {Extract} header */
const points = ({ pieces }) =>
	pieces.reduce((sum, { count }) => sum + count, 0);

/** @param {Extract[]} headers */
export const byteLength = (headers) =>
	headers.reduce(
		(sum, header) => sum + 8 * names(header).length * points(header),
		0,
	);

/**
 * The extracts of one message.
 * @param {Extract[]} headers
 * @param {DataView} buffer
 * @returns {Held[]}
 */
export function decode(headers, buffer) {
	const expected = byteLength(headers);
	if (buffer.byteLength !== expected) {
		throw new Error(
			`${headers.length} extracts: expected ${expected} bytes, got ${buffer.byteLength}`,
		);
	}
	const take = reader(buffer);
	return headers.map((header) => {
		const all = names(header).map((name) => [name, take(points(header))]);
		return { header, pieces: parted(header, all) };
	});
}

/**
 * Copies: a view into the message may be unaligned and would keep all of it.
 * @param {DataView} buffer
 */
export function reader(buffer) {
	let offset = 0;
	return (/** @type {number} */ count) => {
		const numbers = new Float64Array(count);
		for (let i = 0; i < count; i++, offset += 8) {
			numbers[i] = buffer.getFloat64(offset, true);
		}
		return numbers;
	};
}

/**
 * @param {Extract} header
 * @param {(string | Float64Array)[][]} columns each over all pieces
 */
function parted({ pieces }, columns) {
	let start = 0;
	return pieces.map(({ count, ...piece }) => {
		const own = columns.map(([name, values]) => [
			name,
			new Floats(
				/** @type {Float64Array} */ (values).slice(start, start + count),
			),
		]);
		start += count;
		return {
			...piece,
			columns: /** @type {Columns} */ (Object.fromEntries(own)),
		};
	});
}

/** @param {Held} held */
export const bytes = ({ pieces }) =>
	pieces.reduce(
		(sum, { columns }) =>
			sum +
			200 +
			Object.values(columns).reduce((n, { data }) => n + data.byteLength, 0),
		500,
	);

/** Numbers of a metric in `Summaries`. */
const SUMMARY = 10;

/**
 * The ten numbers of each metric that was asked, in that order.
 * @param {DataView} buffer
 */
export function decodeSummaries(buffer) {
	const take = reader(buffer);
	const count = buffer.byteLength / 8 / SUMMARY;
	const columns = Array.from({ length: SUMMARY }, () => take(count));
	return Array.from({ length: count }, (_, i) =>
		columns.map((column) => column[i]),
	);
}
