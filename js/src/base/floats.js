/** Float64 numbers that grow at the end, at amortised cost. */
export class Floats {
	constructor() {
		this.data = new Float64Array(64);
		this.length = 0;
	}

	/** @param {number} value */
	push(value) {
		this.#reserve(this.length + 1);
		this.data[this.length++] = value;
	}

	/** @param {ArrayLike<number>} values */
	append(values) {
		this.#reserve(this.length + values.length);
		this.data.set(values, this.length);
		this.length += values.length;
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
