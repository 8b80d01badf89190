import { Floats } from "./floats.js";
import { Pyramid } from "./pyramid.js";
import { Smooth } from "./smooth.js";

/** @import { Chunk } from "./frames.js" */
/** @import { Seed } from "./smooth.js" */

/** One metric's values in a segment. */
export class Series {
	constructor() {
		/** @type {Floats | null} rows of the segment; null: value i is in row i */
		this.at = null;
		this.values = new Floats();
		this.pyramid = new Pyramid();
		this.nonFinite = new Floats();
		/** @type {Smooth | null} */
		this.smooth = null;
	}

	/** @param {number} index */
	row(index) {
		return this.at ? this.at.data[index] : index;
	}

	/** @param {number} rows that the segment has */
	positions(rows) {
		if (this.values.length === rows) return null;
		return this.at?.view() ?? Float64Array.from(this.values.view().keys());
	}

	/**
	 * @param {Float64Array | null} positions
	 * @param {Float64Array} values
	 * @param {number} offset rows that the segment had before
	 */
	append(positions, values, offset) {
		const dense = !positions && !this.at && this.values.length === offset;
		if (!dense) this.#name(positions, values.length, offset);
		for (let i = 0; i < values.length; i++) {
			if (!Number.isFinite(values[i]))
				this.nonFinite.push(this.values.length + i);
		}
		this.values.append(values);
		this.pyramid.extend(this.values);
	}

	/**
	 * The smoothed values; only what is new since the last call is computed.
	 * @param {number} weight
	 * @param {Seed} seed
	 */
	smoothed(weight, seed) {
		if (!this.smooth?.fits(weight, seed))
			this.smooth = new Smooth(weight, seed);
		this.smooth.extend(this.values);
		return this.smooth;
	}

	/**
	 * @param {Float64Array | null} positions
	 * @param {number} count
	 * @param {number} offset
	 */
	#name(positions, count, offset) {
		this.at ??= counting(new Floats(), this.values.length, 0);
		if (!positions) counting(this.at, count, offset);
		else for (const position of positions) this.at.push(offset + position);
	}
}

/**
 * @param {Floats} floats
 * @param {number} count
 * @param {number} first
 */
function counting(floats, count, first) {
	for (let i = 0; i < count; i++) floats.push(first + i);
	return floats;
}

/** Rows `start` to `stop` of the history, growing at the end. */
export class Segment {
	/** @param {Chunk} chunk */
	constructor(chunk) {
		this.start = chunk.start;
		this.stop = chunk.start;
		this.reduced = chunk.reduced;
		/** Steps never fall: an x can be searched for. */
		this.ordered = true;
		this.rows = new Floats();
		this.steps = new Floats();
		this.epochs = new Floats();
		this.times = new Floats();
		/** @type {Map<string, Series>} */
		this.series = new Map();
		this.append(chunk);
	}

	/** @param {Chunk} chunk that begins where this ends */
	append(chunk) {
		const offset = this.rows.length;
		this.rows.append(chunk.rows);
		this.#order(chunk.steps);
		this.steps.append(chunk.steps);
		this.epochs.append(chunk.epochs);
		this.times.append(chunk.times);
		for (const [metric, { positions, values }] of chunk.columns) {
			const series = this.series.get(metric) ?? new Series();
			this.series.set(metric, series);
			series.append(positions, values, offset);
		}
		this.stop = chunk.stop;
	}

	/** @param {Float64Array} steps to come */
	#order(steps) {
		let last = this.steps.length ? this.steps.data[this.steps.length - 1] : -1;
		for (const step of steps) {
			if (step < last) this.ordered = false;
			last = step;
		}
	}

	/** @returns {Chunk} the same rows, not copied */
	chunk() {
		const columns = new Map(
			[...this.series].map(([metric, series]) => [
				metric,
				{
					positions: series.positions(this.rows.length),
					values: series.values.view(),
				},
			]),
		);
		return {
			start: this.start,
			stop: this.stop,
			reduced: this.reduced,
			rows: this.rows.view(),
			steps: this.steps.view(),
			epochs: this.epochs.view(),
			times: this.times.view(),
			columns,
		};
	}

	/** Bytes of data held, without what is derived from it. */
	get bytes() {
		let numbers = 4 * this.rows.length;
		for (const { at, values } of this.series.values()) {
			numbers += values.length + (at ? at.length : 0);
		}
		return 8 * numbers;
	}
}
