import { Floats } from "../base/floats.js";
import { number } from "../base/format.js";
import { Pyramid } from "./pyramid.js";
import { Smooth } from "./smooth.js";
import { Stretches } from "./stretches.js";

/** @import { Seed } from "./smooth.js" */

/** One metric's values in a segment. */
export class Series {
	constructor() {
		/** @type {Floats | null} rows of the segment; null: value i is in row i */
		this.at = null;
		this.values = new Floats();
		this.pyramid = new Pyramid();
		this.stretches = new Stretches();
		/** @type {Map<string, Floats>} indices of what is not finite, by its name */
		this.nonfinite = new Map();
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
	 * @param {Floats} steps of the segment's rows
	 */
	append(positions, values, offset, steps) {
		const dense = !positions && !this.at && this.values.length === offset;
		if (!dense) this.#name(positions, values.length, offset);
		values.forEach((value, i) => {
			if (!Number.isFinite(value)) this.#mark(value, this.values.length + i);
		});
		this.values.append(values);
		this.pyramid.extend(this.values);
		this.stretches.extend(this.values.length, (i) => steps.data[this.row(i)]);
	}

	/**
	 * @param {number} value
	 * @param {number} index
	 */
	#mark(value, index) {
		const name = number(value);
		const indices = this.nonfinite.get(name) ?? new Floats();
		this.nonfinite.set(name, indices);
		indices.push(index);
	}

	/**
	 * The smoothed values; only what is new since the last call is computed.
	 * @param {number} weight
	 * @param {Seed} seed
	 * @param {number[]} begins indices at which a line begins
	 */
	smoothed(weight, seed, begins) {
		if (!this.smooth?.fits(weight, seed, begins))
			this.smooth = new Smooth(weight, seed);
		this.smooth.extend(this.values, begins);
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
