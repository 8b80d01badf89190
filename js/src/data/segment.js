import { Floats } from "../base/floats.js";
import { Series } from "./series.js";

/** @import { Chunk } from "./frames.js" */

/** Rows `start` to `stop` of the history, growing at the end. */
export class Segment {
	/** @param {Chunk} chunk */
	constructor(chunk) {
		this.start = chunk.start;
		this.stop = chunk.start;
		this.reduced = chunk.reduced;
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
		this.steps.append(chunk.steps);
		this.epochs.append(chunk.epochs);
		this.times.append(chunk.times);
		for (const [metric, { positions, values }] of chunk.columns) {
			const series = this.series.get(metric) ?? new Series();
			this.series.set(metric, series);
			series.append(positions, values, offset, this.steps);
		}
		this.stop = chunk.stop;
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
