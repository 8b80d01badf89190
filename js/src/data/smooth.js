import { Floats } from "../base/floats.js";

/**
 * A causal exponential moving average, divided by the weight it has seen so
 * that it starts at the first value. Non-finite values leave it as it was.
 * @typedef {{sum: number, mass: number}} Seed
 * @type {Seed}
 */
export const START = { sum: 0, mass: 0 };

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
		let { sum, mass } = this.end;
		for (let i = this.values.length; i < length; i++) {
			if (begins[this.begun.length] === i) {
				({ sum, mass } = START);
				this.begun.push(i);
			}
			if (Number.isFinite(data[i])) {
				sum = this.weight * sum + (1 - this.weight) * data[i];
				mass = this.weight * mass + (1 - this.weight);
			}
			this.values.push(mass ? sum / mass : Number.NaN);
		}
		this.end = { sum, mass };
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
			this.seed.sum === seed.sum &&
			this.seed.mass === seed.mass
		);
	}
}
