import { search } from "../base/search.js";

/** @typedef {{from: number, to: number}} Run */

/**
 * The points of a growing series whose steps were not logged again: runs of
 * rising steps, each later than the one before. The latest of a step wins, and
 * what came after an earlier step is from a training that was given up.
 */
export class Runs {
	constructor() {
		this.length = 0;
		/** @type {Run[]} */
		this.kept = [];
		/** @type {number[]} where steps begin to rise, also those logged again */
		this.begins = [];
	}

	/** The first and the last point kept. */
	get ends() {
		const [first, last] = [this.kept[0], this.kept.at(-1)];
		return first && last ? [first.from, last.to - 1] : [];
	}

	/** All points, as runs of rising steps. */
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
 * Takes what stands at `step` or later off the end of rising runs.
 * @template {Run} R
 * @param {R[]} runs
 * @param {number} step
 * @param {(run: R, index: number) => number} read the step of a point
 */
export function rewind(runs, step, read) {
	for (let last = runs.at(-1); last; last = runs.at(-1)) {
		const run = last;
		const left = search(
			run.to - run.from,
			(i) => read(run, run.from + i) >= step,
		);
		run.to = run.from + left;
		if (left) return;
		runs.pop();
	}
}
