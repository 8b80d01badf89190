/** @import { Chunk, Values } from "./frames.js" */

/** Rows of a bucket that is thinned to its envelope. */
const BUCKET = 512;

/**
 * The envelope of a chunk: of each bucket and metric the first, last, lowest,
 * highest value, and the first and last of each kind of non-finite value.
 * @param {Chunk} chunk
 * @returns {Chunk}
 */
export function thin(chunk) {
	const kept = new Map(
		[...chunk.columns].map(([metric, values]) => [metric, keep(values)]),
	);
	const named = new Set(
		[...kept.values()].flatMap((k) => k.map(([row]) => row)),
	);
	const rows = Float64Array.from(named).sort();
	const place = new Map(Array.from(rows, (row, i) => [row, i]));
	/** @param {Float64Array} axis */
	const pick = (axis) => rows.map((row) => axis[row]);
	/** @type {Chunk["columns"]} */
	const columns = new Map();
	for (const [metric, pairs] of kept) {
		columns.set(metric, {
			positions: Float64Array.from(pairs, ([row]) => place.get(row) ?? 0),
			values: Float64Array.from(pairs, ([, value]) => value),
		});
	}
	return {
		start: chunk.start,
		stop: chunk.stop,
		reduced: true,
		rows: pick(chunk.rows),
		steps: pick(chunk.steps),
		epochs: pick(chunk.epochs),
		times: pick(chunk.times),
		columns,
	};
}

/**
 * @param {Values} column
 * @returns {[number, number][]} row of the chunk and value, in row order
 */
function keep({ positions, values }) {
	/** @type {[number, number][]} */
	const pairs = [];
	for (let from = 0; from < values.length; from += BUCKET) {
		const to = Math.min(from + BUCKET, values.length);
		for (const i of outstanding(values, from, to)) {
			pairs.push([positions ? positions[i] : i, values[i]]);
		}
	}
	return pairs;
}

/**
 * @param {Float64Array} values
 * @param {number} from
 * @param {number} to
 */
function outstanding(values, from, to) {
	const indices = new Set([from, to - 1]);
	let [low, high] = [-1, -1];
	/** @type {Map<number, [number, number]>} */
	const nonfinite = new Map();
	for (let i = from; i < to; i++) {
		const value = values[i];
		if (!Number.isFinite(value))
			nonfinite.set(value, [nonfinite.get(value)?.[0] ?? i, i]);
		else {
			if (low < 0 || value < values[low]) low = i;
			if (high < 0 || value > values[high]) high = i;
		}
	}
	if (low >= 0) indices.add(low).add(high);
	for (const [first, last] of nonfinite.values()) indices.add(first).add(last);
	return [...indices].sort((a, b) => a - b);
}
