import { search } from "../base/search.js";

/** @typedef {{from: number, to: number}} Stretch */

/**
 * The points of a growing series whose steps were not logged again: stretches of
 * rising steps, each later than the one before. The latest of a step wins, and
 * what came after an earlier step is from a training that was given up.
 */
export class Stretches {
	constructor() {
		this.length = 0;
		/** @type {Stretch[]} */
		this.kept = [];
		/** @type {number[]} where steps begin to rise, also those logged again */
		this.begins = [];
	}

	/** All points, as stretches of rising steps. */
	get all() {
		return this.begins.map((from, k) => ({
			from,
			to: this.begins[k + 1] ?? this.length,
		}));
	}

	/**
	 * @param {number} length of the series now
	 * @param {(index: number) => number} step of a point
	 */
	extend(length, step) {
		for (let i = this.length; i < length; i++) {
			const last = this.kept.at(-1);
			if (last && step(i) >= step(i - 1)) last.to++;
			else {
				rewind(this.kept, step(i), (_, at) => step(at));
				this.kept.push({ from: i, to: i + 1 });
				this.begins.push(i);
			}
		}
		this.length = length;
	}
}

/**
 * Takes what stands at `step` or later off the end of rising stretches.
 * @template {Stretch} S
 * @param {S[]} stretches
 * @param {number} step
 * @param {(stretch: S, index: number) => number} read the step of a point
 */
export function rewind(stretches, step, read) {
	for (let last = stretches.at(-1); last; last = stretches.at(-1)) {
		const stretch = last;
		const left = search(
			stretch.to - stretch.from,
			(i) => read(stretch, stretch.from + i) >= step,
		);
		stretch.to = stretch.from + left;
		if (left) return;
		stretches.pop();
	}
}
