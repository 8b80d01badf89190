import { search } from "../base/search.js";

/** @import { Part, Stretch } from "../data/cache.js" */
/** @import { Columns, HeldPiece } from "../data/extracts.js" */
/** @import { Axis } from "./axes.js" */

/** What is not finite, as `format.number` names them, and the column of each. */
export const NONFINITE = /** @type {const} */ ([
	["NaN", "nans", Number.NaN],
	["+Inf", "above", Infinity],
	["−Inf", "below", -Infinity],
]);
export const NONFINITE_NAMES = NONFINITE.map(([name]) => name);

/**
 * Values of one kind that are not finite: where they are, and how many at each place.
 * @typedef {{kind: string, x: number[], counts: number[]}} Nonfinite
 */

/**
 * What is drawn of one metric of a track, point after point; NaN stands in `y` between
 * lines. A point is a value, or the mean of a bucket of `count` values from `low` to
 * `high`, which reaches from `left` to `right` on the axis; of a value these are NaN.
 * Of what is in view `values` are drawn one by one, and `reduced` in `buckets`;
 * `missing` are stretches that are not here, and `left_out` counts values of earlier
 * attempts that are nowhere. `smooth` is null where no average is wanted or here;
 * `averaged`: none that is wanted is missing.
 * @typedef {{
 *   x: Float64Array, y: Float64Array, smooth: Float64Array | null,
 *   low: Float64Array, high: Float64Array, count: Float64Array,
 *   left: Float64Array, right: Float64Array, nonfinite: Nonfinite[],
 *   values: number, reduced: number, buckets: number, left_out: number,
 *   missing: Stretch[], averaged: boolean,
 * }} Curve
 *
 * How it is drawn. `span` are the first and the last key of the track.
 * @typedef {{axis: Axis, span: Stretch, weight: number}} Manner
 */

/**
 * The curve through what there is of a metric, or through what was trained again.
 * @param {{parts: Part[], missing: Stretch[]}} covering
 * @param {Manner} manner
 * @param {boolean} kept
 * @returns {Curve}
 */
export function curveOf({ parts, missing }, manner, kept) {
	const pen = new Pen(manner);
	for (const part of parts) {
		const sheet = new Sheet(part, manner);
		sheet.pieces.forEach((piece, i) => {
			if (piece.kept !== kept) return;
			pen.lift();
			const before = sheet.pieces[i - 1];
			// What was trained again hangs on what it goes on from.
			if (!kept && before?.kept && before.attempt === piece.attempt) {
				pen.draw(sheet, before, before.columns.at.length - 1, false);
			}
			const { first, start, stop, last } = sheet.seen(piece);
			for (let i = first; i < last; i++) {
				pen.draw(sheet, piece, i, start <= i && i < stop);
			}
		});
	}
	const { axis, span } = manner;
	const stretches = missing
		.map(([a, b]) => [Math.max(a, span[0]), Math.min(b, span[1])])
		.filter(([a, b]) => a < b);
	return pen.curve({
		missing: kept ? stretches.map(([a, b]) => [axis.of(a), axis.of(b)]) : [],
		left_out: kept
			? Math.max(0, ...parts.map(({ held }) => held.header.left_out))
			: 0,
	});
}

/** What is drawn from one extract. */
class Sheet {
	/**
	 * @param {Part} part
	 * @param {Manner} manner
	 */
	constructor(part, { weight, span }) {
		const { header, pieces } = part.held;
		this.part = part;
		this.pieces = pieces;
		this.isExact = header.level === null;
		this.size = 2 ** (header.level ?? 0);
		/** Whole numbers stand in the middle of what they cover. */
		this.isWhole = header.key !== "time";
		this.averaged = weight === header.weight;
		this.low = part.outerFrom ? span[0] : Math.max(span[0], part.from);
		const end = Math.max(span[1], header.end);
		this.high = part.outerTo ? end : Math.min(end, part.to);
	}

	/**
	 * The points `first` to `last` are drawn, of which `start` to `stop` are in view.
	 * @param {HeldPiece} piece
	 */
	seen({ columns: { at } }) {
		const { isExact, size, part } = this;
		const { data, length } = at;
		const start = search(length, (i) =>
			isExact ? data[i] >= part.from : (data[i] + 1) * size > part.from,
		);
		const stop = search(
			length,
			(i) => (isExact ? data[i] : data[i] * size) >= part.to,
		);
		const first = part.outerFrom ? Math.max(start - 1, 0) : start;
		const last = part.outerTo ? Math.min(stop + 1, length) : stop;
		return { first, start, stop, last };
	}

	/**
	 * From where to where a bucket reaches, and the middle of the keys in it.
	 * @param {number} bucket
	 */
	reach(bucket) {
		const { size, low, high } = this;
		const [first, end] = [bucket * size, (bucket + 1) * size];
		const shift = this.isWhole ? 0.5 : 0;
		const within = (/** @type {number} */ key) =>
			Math.min(Math.max(key, low), high);
		const last = this.isWhole ? end - 1 : end;
		return {
			left: within(first - shift),
			right: within(end - shift),
			middle: (within(first) + within(last)) / 2,
		};
	}
}

/** Draws points one after the other. */
class Pen {
	/** @param {Manner} manner */
	constructor({ axis, weight }) {
		this.axis = axis;
		this.weight = weight;
		/** @type {Record<"x" | "y" | "smooth" | "low" | "high" | "count" | "left" | "right", number[]>} */
		this.points = {
			x: [],
			y: [],
			smooth: [],
			low: [],
			high: [],
			count: [],
			left: [],
			right: [],
		};
		/** @type {Map<string, Nonfinite>} */
		this.nonfinite = new Map();
		this.values = 0;
		this.reduced = 0;
		this.buckets = 0;
		this.averaged = true;
	}

	/** Lines do not run on from here. */
	lift() {
		if (this.points.x.length) this.#point({});
	}

	/**
	 * @param {Sheet} sheet
	 * @param {HeldPiece} piece
	 * @param {number} i
	 * @param {boolean} counts whether it is in view
	 */
	draw(sheet, { columns }, i, counts) {
		const smooth = sheet.averaged ? columns.smooth?.data[i] : Number.NaN;
		if (!sheet.averaged) this.averaged = false;
		if (sheet.isExact) this.#value(columns, i, smooth, counts);
		else this.#bucket(sheet, columns, i, smooth, counts);
	}

	/**
	 * @param {Columns} columns
	 * @param {number} i
	 * @param {number} smooth
	 * @param {boolean} counts
	 */
	#value({ at, values }, i, smooth, counts) {
		const [x, value] = [this.axis.of(at.data[i]), values.data[i]];
		const y = Number.isFinite(value) ? value : Number.NaN;
		this.#point({ x, y, smooth });
		if (!counts) return;
		this.values++;
		if (Number.isFinite(value)) return;
		for (const [kind, , odd] of NONFINITE) {
			if (Object.is(value, odd)) this.#odd(kind, x, 1);
		}
	}

	/**
	 * @param {Sheet} sheet
	 * @param {Columns} columns
	 * @param {number} i
	 * @param {number} smooth
	 * @param {boolean} counts
	 */
	#bucket(sheet, columns, i, smooth, counts) {
		const { of } = this.axis;
		const { left, right, middle } = sheet.reach(columns.at.data[i]);
		const x = of(middle);
		const count = columns.counts.data[i];
		this.#point({
			...{ x, y: columns.means.data[i], smooth, count },
			...{ low: columns.lows.data[i], high: columns.highs.data[i] },
			...{ left: of(left), right: of(right) },
		});
		if (!counts) return;
		this.buckets++;
		this.reduced += count;
		for (const [kind, column] of NONFINITE) {
			const odd = columns[column]?.data[i];
			if (!odd) continue;
			this.reduced += odd;
			this.#odd(kind, x, odd);
		}
	}

	/** @param {Partial<Record<keyof Pen["points"], number>>} point */
	#point(point) {
		for (const [name, column] of Object.entries(this.points)) {
			column.push(
				point[/** @type {keyof Pen["points"]} */ (name)] ?? Number.NaN,
			);
		}
	}

	/**
	 * @param {string} kind
	 * @param {number} x
	 * @param {number} count
	 */
	#odd(kind, x, count) {
		const own = this.nonfinite.get(kind) ?? { kind, x: [], counts: [] };
		this.nonfinite.set(kind, own);
		own.x.push(x);
		own.counts.push(count);
	}

	/**
	 * @param {Pick<Curve, "missing" | "left_out">} rest
	 * @returns {Curve}
	 */
	curve(rest) {
		const { smooth, ...points } = this.points;
		const numbers = Object.fromEntries(
			Object.entries(points).map(([name, column]) => [
				name,
				Float64Array.from(column),
			]),
		);
		return {
			.../** @type {Record<keyof typeof points, Float64Array>} */ (numbers),
			smooth: smooth.some(Number.isFinite) ? Float64Array.from(smooth) : null,
			nonfinite: NONFINITE_NAMES.flatMap(
				(kind) => this.nonfinite.get(kind) ?? [],
			),
			...{ values: this.values, reduced: this.reduced, buckets: this.buckets },
			averaged: this.averaged || !this.weight,
			...rest,
		};
	}
}
