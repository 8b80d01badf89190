import { Floats } from "../base/floats.js";
import { search } from "../base/search.js";
import { spanOf } from "./pieces.js";
import { NOTHING } from "./rows.js";

/** @import { Extract, Want } from "../protocol" */
/** @import { Columns, Held } from "./extracts.js" */
/** @import { RowPiece } from "./pieces.js" */
/** @import { Column, Rows } from "./rows.js" */

/** As in `mswidget.widget.extract`. */
const MOST_BUCKETS = 4096;
const MOST_PIECES = 200;

/**
 * A piece, and between which places of a metric its values are. @typedef {{
 *   piece: RowPiece, low: number, high: number}} Whole
 *
 * What is asked of it is `a` to `b`. @typedef {Whole & {a: number, b: number}} Seen
 */

/**
 * What a page sees of a metric: what `mswidget.widget.extract` takes out of a history.
 * @param {Rows} rows
 * @param {Want} want
 * @param {string} metric
 * @returns {Held}
 */
export const extract = (rows, want, metric) =>
	new Look(rows, want, metric).held();

/** One metric of a track, as a page wants to see it. */
class Look {
	/**
	 * @param {Rows} rows
	 * @param {Want} want
	 * @param {string} metric
	 */
	constructor(rows, want, metric) {
		const { keys, cut } = rows.pieces(want.key);
		this.rows = rows;
		this.want = want;
		this.metric = metric;
		this.keys = keys;
		this.cut = cut;
		/** @type {Column} */
		this.column = rows.columns.get(metric) ?? NOTHING;
		this.begin = want.begin ?? -Infinity;
		this.end = want.end ?? Infinity;
		const wholes = cut
			.map((piece) => this.#whole(piece))
			.filter(({ low, high }) => low < high);
		this.wholes = newest(wholes);
		/** @param {Whole[]} of */
		const count = (of) =>
			of.reduce((sum, { low, high }) => sum + high - low, 0);
		this.left = count(wholes) - count(this.wholes);
	}

	/** @returns {Held} */
	held() {
		const { begin, end, want } = this;
		const seen = this.#seen(begin, (key) => key > end);
		const inside = seen.reduce((sum, { a, b }) => sum + b - a, 0);
		if (inside <= want.points)
			return this.#headed(
				null,
				seen.map((s) => this.#exact(s)),
			);
		const level = this.#level();
		const size = 2 ** level;
		const stop = (Math.floor(end / size) + 1) * size;
		const whole = this.#seen(
			Math.floor(begin / size) * size,
			(key) => key >= stop,
		);
		return this.#headed(
			level,
			whole.map((s) => this.#reduced(s, size)),
		);
	}

	/** @param {number} place of a value */
	row(place) {
		return this.column.at ? this.column.at[place] : place;
	}

	/** @param {number} place */
	key(place) {
		return this.keys[this.row(place)];
	}

	/** @param {RowPiece} piece @returns {Whole} */
	#whole(piece) {
		const { at, values } = this.column;
		/** @param {number} row how many values stand before it */
		const before = (row) =>
			at
				? search(at.length, (i) => at[i] >= row)
				: Math.min(row, values.length);
		return { piece, low: before(piece.start), high: before(piece.stop) };
	}

	/**
	 * @param {number} from
	 * @param {(key: number) => boolean} isAfter
	 * @returns {Seen[]}
	 */
	#seen(from, isAfter) {
		return this.wholes.map((whole) => {
			const { low, high } = whole;
			const a = low + search(high - low, (i) => this.key(low + i) >= from);
			const b = low + search(high - low, (i) => isAfter(this.key(low + i)));
			return { ...whole, a, b: Math.max(a, b) };
		});
	}

	/** The level of buckets: the wanted one, if that is not too fine. */
	#level() {
		const spans = this.wholes.map(
			({ piece: { start, stop } }) =>
				Math.min(this.end, this.keys[stop - 1]) -
				Math.max(this.begin, this.keys[start]),
		);
		const span = spans.reduce((sum, s) => sum + Math.max(s, 0), 0);
		const least = span ? Math.ceil(Math.log2(span / MOST_BUCKETS)) : -1024;
		return Math.max(this.want.level, least);
	}

	/** @param {Seen} seen */
	#exact({ piece, low, a, b, high }) {
		const first = Math.max(a - 1, low);
		const last = Math.min(b + 1, high);
		const isSeen = a < b || (low < a && a < high);
		const places = isSeen ? counting(first, last) : [];
		return {
			piece,
			columns: {
				...this.#at(places, 0),
				...this.#of(places),
				values: this.#values(places),
			},
		};
	}

	/**
	 * @param {Seen} seen
	 * @param {number} size
	 */
	#reduced({ piece, low, a, b, high }, size) {
		/** @param {number} place */
		const bucket = (place) => Math.floor(this.key(place) / size);
		const isSeen = a < b || (low < a && a < high);
		const first =
			a > low
				? low + search(a - low, (i) => bucket(low + i) >= bucket(a - 1))
				: a;
		const last =
			b < high ? b + search(high - b, (i) => bucket(b + i) > bucket(b)) : b;
		/** @type {number[]} */
		const newest = [];
		/** @type {Record<string, number>[]} */
		const values = [];
		for (let start = first; isSeen && start < last; ) {
			const own = bucket(start);
			let stop = start + 1;
			while (stop < last && bucket(stop) === own) stop++;
			newest.push(stop - 1);
			values.push(summed(this.column.values.subarray(start, stop)));
			start = stop;
		}
		/** @type {Columns} */
		const columns = {
			...this.#at(newest, size),
			...this.#of(newest),
			lasts: this.#values(newest),
		};
		for (const name of SUMMED)
			columns[name] = floats(values.map((bucket) => bucket[name]));
		return { piece, columns };
	}

	/**
	 * @param {number[]} places
	 * @param {number} size of a bucket; 0 for keys
	 */
	#at(places, size) {
		return {
			at: floats(
				places.map((p) =>
					size ? Math.floor(this.key(p) / size) : this.key(p),
				),
			),
		};
	}

	/** @param {number[]} places @returns {Columns} */
	#of(places) {
		const { key, weight } = this.want;
		/** @type {Columns} */
		const columns = {};
		if (key !== "step")
			columns.steps = floats(
				places.map((p) => this.rows.logged.step[this.row(p)]),
			);
		if (weight) {
			const average = this.rows.average(this.metric, weight);
			columns.smooth = floats(places.map((p) => average[p]));
		}
		return columns;
	}

	/** @param {number[]} places */
	#values(places) {
		return floats(places.map((place) => this.column.values[place]));
	}

	/**
	 * @param {number | null} level
	 * @param {{piece: RowPiece, columns: Columns}[]} all
	 * @returns {Held}
	 */
	#headed(level, all) {
		const { track, key, weight, begin, end } = this.want;
		const full = all.filter(({ columns }) => columns.at.length);
		const [low, high] = spanOf(this.keys, this.cut) ?? [0, 0];
		const pieces = full.map(({ piece: { start, kept, attempt }, columns }) => ({
			...{ row: start, kept, attempt, columns },
		}));
		/** @type {Extract} */
		const header = {
			...{
				track,
				metric: this.metric,
				key,
				weight,
				level,
				begin: begin ?? low,
			},
			...{ end: end ?? Math.max(begin ?? low, high), goes_on: false },
			nonfinite: full.some(({ columns }) =>
				ODD.some((name) => columns[name]?.view().some(Boolean)),
			),
			pieces: pieces.map(({ columns, ...piece }) => ({
				...piece,
				count: columns.at.length,
			})),
			left_out: this.left,
		};
		return { header, pieces };
	}
}

/**
 * The newest pieces of those that are kept, and of the others.
 * @param {Whole[]} wholes
 */
function newest(wholes) {
	const room = { true: MOST_PIECES, false: MOST_PIECES };
	return wholes
		.toReversed()
		.filter(({ piece }) => room[`${piece.kept}`]-- > 0)
		.toReversed();
}

const ODD = ["nans", "above", "below"];
const SUMMED = /** @type {const} */ ([
	"counts",
	"lows",
	"highs",
	"means",
	...ODD,
]);

/** @param {Float64Array} values @returns {Record<string, number>} */
function summed(values) {
	const bucket = {
		...{ counts: 0, lows: Number.NaN, highs: Number.NaN, means: Number.NaN },
		...{ nans: 0, above: 0, below: 0 },
	};
	let [low, high, sum] = [Infinity, -Infinity, 0];
	for (const value of values) {
		if (Number.isFinite(value)) {
			bucket.counts++;
			low = Math.min(low, value);
			high = Math.max(high, value);
			sum += value;
		} else if (Number.isNaN(value)) bucket.nans++;
		else if (value > 0) bucket.above++;
		else bucket.below++;
	}
	if (!bucket.counts) return bucket;
	// Sums of very large numbers are infinite, others are rounded.
	const mean = Math.min(Math.max(sum / bucket.counts, low), high);
	return { ...bucket, lows: low, highs: high, means: mean };
}

/** @param {number} first @param {number} stop */
const counting = (first, stop) =>
	Array.from({ length: Math.max(0, stop - first) }, (_, i) => first + i);

/** @param {number[]} values */
const floats = (values) => new Floats(Float64Array.from(values));
