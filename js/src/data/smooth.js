import { Floats } from "../base/floats.js";

/**
 * A causal exponential moving average, divided by the weight it has seen so
 * that it starts at the first value. Non-finite values leave it as it was. It moves by
 * a share of the difference: that of equal values is none, to the last bit.
 * @typedef {{value: number, mass: number}} Seed
 * @type {Seed}
 */
export const START = { value: Number.NaN, mass: 0 };

/** The average of one growing series, continued from `seed`. */
export class Smooth {
	/**
	 * @param {number} weight of the past, 0 to below 1
	 * @param {Seed} seed
	 */
	constructor(weight, seed) {
		this.weight = weight;
		this.seed = seed;
		this.end = seed;
		this.values = new Floats();
		/** @type {number[]} where it began anew */
		this.begun = [];
	}

	/**
	 * @param {Floats} series whose new end is taken in
	 * @param {number[]} [begins] indices, rising, at which it begins anew
	 */
	extend({ data, length }, begins = []) {
		let { value, mass } = this.end;
		for (let i = this.values.length; i < length; i++) {
			if (begins[this.begun.length] === i) {
				({ value, mass } = START);
				this.begun.push(i);
			}
			if (Number.isFinite(data[i])) {
				const past = mass ? value : data[i];
				mass = this.weight * mass + (1 - this.weight);
				value = past + ((1 - this.weight) / mass) * (data[i] - past);
			}
			this.values.push(value);
		}
		this.end = { value, mass };
	}

	/**
	 * @param {number} weight
	 * @param {Seed} seed
	 * @param {number[]} begins
	 */
	fits(weight, seed, begins) {
		const past = begins.filter((index) => index < this.values.length);
		return (
			past.join() === this.begun.join() &&
			this.weight === weight &&
			Object.is(this.seed.value, seed.value) &&
			this.seed.mass === seed.mass
		);
	}
}
