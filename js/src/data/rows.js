import { byteLength, decode, reader } from "./extracts.js";
import { pieces, spanOf } from "./pieces.js";
import { smoothed } from "./smooth.js";

/** @import { Extent, Key, SavedTrack } from "../protocol" */
/** @import { Held } from "./extracts.js" */

/**
 * A metric's values; `at` are rows, null where each row has one.
 * @typedef {{at: Float64Array | null, values: Float64Array}} Column
 */

/** All rows of a track. */
export class Rows {
	/**
	 * @param {Record<Key, Float64Array>} keys of each row, as they were logged
	 * @param {string[]} attempts of each row
	 * @param {Map<string, Column>} columns
	 */
	constructor(keys, attempts, columns) {
		this.logged = keys;
		this.attempts = attempts;
		this.columns = columns;
		/** @type {Map<string, ReturnType<typeof pieces>>} */
		this.cut = new Map();
		/** @type {Map<string, Float64Array>} */
		this.averages = new Map();
	}

	/** @param {Key} key */
	pieces(key) {
		const cut = this.cut.get(key) ?? pieces(this.logged, this.attempts, key);
		this.cut.set(key, cut);
		return cut;
	}

	/**
	 * The average of a metric at each of its values.
	 * @param {string} metric
	 * @param {number} weight
	 */
	average(metric, weight) {
		const name = `${weight} ${metric}`;
		const { at, values } = this.columns.get(metric) ?? NOTHING;
		const { begins } = this.pieces("step");
		const average =
			this.averages.get(name) ?? smoothed(values, at, weight, begins);
		this.averages.set(name, average);
		return average;
	}

	/**
	 * @param {string} track
	 * @returns {Extent}
	 */
	extent(track) {
		/** @param {Key} key */
		const of = (key) => {
			const { keys, cut } = this.pieces(key);
			return spanOf(keys, cut);
		};
		const rows = this.attempts.length;
		return {
			track,
			rows,
			step: of("step"),
			time: of("time"),
			epoch: of("epoch"),
		};
	}
}

/** @type {Column} */
export const NOTHING = { at: null, values: new Float64Array() };

/**
 * What a page that needs no kernel holds of each track: its rows, or extracts.
 * @param {SavedTrack[]} tracks
 * @param {DataView} buffer
 * @returns {Map<string, {rows: Rows | null, extracts: Held[]}>}
 */
export function savedTracks(tracks, buffer) {
	const take = reader(buffer);
	return new Map(
		tracks.map(({ id, rows, attempts, columns, extracts }) => {
			const [step, time, epoch, codes] = [0, 1, 2, 3].map(() => take(rows));
			const named = Array.from(codes, (code) => attempts[code]);
			const held = columns.map(({ metric, count }) => {
				const at = count === rows ? null : take(count);
				return /** @type {const} */ ([metric, { at, values: take(count) }]);
			});
			const numbers = take(byteLength(extracts) / 8);
			const reduced = decode(extracts, new DataView(numbers.buffer));
			const whole = rows
				? new Rows({ step, time, epoch }, named, new Map(held))
				: null;
			return [id, { rows: whole, extracts: reduced }];
		}),
	);
}

/** A track that is not here. */
export const NO_ROWS = new Rows(
	{
		step: new Float64Array(),
		time: new Float64Array(),
		epoch: new Float64Array(),
	},
	[],
	new Map(),
);
