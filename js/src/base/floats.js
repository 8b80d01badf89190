/** Float64 numbers that grow at the end, at amortised cost. */
export class Floats {
	/** @param {Float64Array} [values] the first, taken over */
	constructor(values = new Float64Array()) {
		this.data = values;
		this.length = values.length;
	}

	/** @param {ArrayLike<number>} values */
	append(values) {
		this.#reserve(this.length + values.length);
		this.data.set(values, this.length);
		this.length += values.length;
	}

	/** @param {number} count of zeros */
	pad(count) {
		this.#reserve(this.length + count);
		this.data.fill(0, this.length, this.length + count);
		this.length += count;
	}

	/** The numbers so far, not copied. */
	view() {
		return this.data.subarray(0, this.length);
	}

	/** @param {number} length */
	#reserve(length) {
		if (length <= this.data.length) return;
		const wider = new Float64Array(Math.max(length, this.data.length * 2));
		wider.set(this.view());
		this.data = wider;
	}
}
