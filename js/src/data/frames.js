/** @import { Block } from "../protocol" */

/**
 * Rows `start` to `stop` as numbers. `positions` index into `rows`; null means
 * that the metric has a value in each row.
 * @typedef {{positions: Float64Array | null, values: Float64Array}} Values
 * @typedef {{
 *   start: number, stop: number, reduced: boolean,
 *   rows: Float64Array, steps: Float64Array,
 *   epochs: Float64Array, times: Float64Array,
 *   columns: Map<string, Values>,
 * }} Chunk
 */

const NUMBERS_PER_ROW = 4;

/** @param {Block} block */
export function byteLength(block) {
	const columns = block.columns.map(({ count }) =>
		count === block.count ? count : 2 * count,
	);
	return 8 * columns.reduce((sum, n) => sum + n, NUMBERS_PER_ROW * block.count);
}

/**
 * The numbers of a block.
 * @param {Block} block
 * @param {DataView} buffer
 * @returns {Chunk}
 */
export function decode(block, buffer) {
	const expected = byteLength(block);
	if (buffer.byteLength !== expected) {
		throw new Error(
			`rows ${block.start} to ${block.stop}: expected ${expected} bytes, got ${buffer.byteLength}`,
		);
	}
	const take = reader(buffer);
	const { start, stop, count, reduced } = block;
	const [rows, steps, epochs, times] = [0, 1, 2, 3].map(() => take(count));
	const columns = new Map(
		block.columns.map(({ metric, count: n }) => {
			const positions = n === count ? null : take(n);
			return [metric, { positions, values: take(n) }];
		}),
	);
	return { start, stop, reduced, rows, steps, epochs, times, columns };
}

/**
 * Copies: a view into the message may be unaligned and would keep all of it.
 * @param {DataView} buffer
 */
function reader(buffer) {
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
 * The part of a chunk that lies in rows `start` to `stop`.
 * @param {Chunk} chunk
 * @param {number} start
 * @param {number} stop
 * @returns {Chunk}
 */
export function cut(chunk, start, stop) {
	const from = lowerBound(chunk.rows, start);
	const to = lowerBound(chunk.rows, stop);
	/** @type {Chunk["columns"]} */
	const columns = new Map();
	for (const [metric, { positions, values }] of chunk.columns) {
		const a = positions ? lowerBound(positions, from) : from;
		const b = positions ? lowerBound(positions, to) : to;
		if (a === b) continue;
		columns.set(metric, {
			positions: positions?.slice(a, b).map((p) => p - from) ?? null,
			values: values.slice(a, b),
		});
	}
	return {
		start: Math.max(start, chunk.start),
		stop: Math.min(stop, chunk.stop),
		reduced: chunk.reduced,
		rows: chunk.rows.slice(from, to),
		steps: chunk.steps.slice(from, to),
		epochs: chunk.epochs.slice(from, to),
		times: chunk.times.slice(from, to),
		columns,
	};
}

/**
 * The first index whose number is not below `value`.
 * @param {Float64Array} sorted
 * @param {number} value
 */
function lowerBound(sorted, value) {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (sorted[middle] < value) low = middle + 1;
		else high = middle;
	}
	return low;
}
