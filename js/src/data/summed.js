/** @import { MetricInfo } from "../protocol" */
/** @import { Held } from "./extracts.js" */
/** @import { Rows } from "./rows.js" */

/** Values that the median and the change look back on. */
const RECENT = 1000;

/** Of a metric without values. */
const NOTHING = [...Array(7).fill(Number.NaN), 0, 0, 0];

/**
 * Ten numbers of a metric, as the kernel sums it up (see `protocol.Summaries`).
 * @param {Rows} rows
 * @param {string} metric
 * @param {MetricInfo["better"]} better
 */
export function summedRows(rows, metric, better) {
	const { at, values } = rows.columns.get(metric) ?? {
		values: new Float64Array(),
	};
	const count = values.length;
	if (!count) return NOTHING;
	/** @param {number} place */
	const step = (place) => rows.logged.step[at ? at[place] : place];
	const best = better ? bestOf(values, better) : -1;
	const recent = values.slice(-RECENT).filter(Number.isFinite);
	return [
		values[count - 1],
		step(count - 1),
		...(best < 0 ? [Number.NaN, Number.NaN] : [values[best], step(best)]),
		values[0],
		median(recent),
		change(recent),
		values.filter(Number.isNaN).length,
		values.filter((value) => value === Infinity).length,
		values.filter((value) => value === -Infinity).length,
	];
}

/**
 * What an extract by steps of all there is still tells; the rest is NaN.
 * @param {Held} held
 * @param {MetricInfo["better"]} better
 */
export function summedExtract({ header, pieces }, better) {
	const last = pieces.at(-1)?.columns;
	if (!last) return NOTHING;
	/** @param {string} name */
	const all = (name) =>
		pieces.flatMap(({ columns }) => [...(columns[name]?.view() ?? [])]);
	const isExact = header.level === null;
	const values = Float64Array.from(
		all(isExact ? "values" : better === "higher" ? "highs" : "lows"),
	);
	const best = better ? bestOf(values, better) : -1;
	const end = last.at.length - 1;
	const newest = (isExact ? last.values : last.lasts).data[end];
	/** @param {string} name */
	const sum = (name) => all(name).reduce((a, b) => a + b, 0);
	return [
		...[newest, header.end, best < 0 ? Number.NaN : values[best]],
		...Array(4).fill(Number.NaN),
		...[sum("nans"), sum("above"), sum("below")],
	];
}

/**
 * @param {Float64Array} values
 * @param {MetricInfo["better"]} better
 */
function bestOf(values, better) {
	const sign = better === "higher" ? -1 : 1;
	let best = -1;
	values.forEach((value, i) => {
		if (
			Number.isFinite(value) &&
			(best < 0 || sign * value < sign * values[best])
		)
			best = i;
	});
	return best;
}

/**
 * The newest tenth against that before it, as a share of that.
 * @param {Float64Array} recent
 */
function change(recent) {
	const tenth = Math.floor(recent.length / 10);
	if (tenth < 3) return Number.NaN;
	const now = median(recent.slice(-tenth));
	const before = median(recent.slice(-2 * tenth, -tenth));
	return before ? (now - before) / Math.abs(before) : Number.NaN;
}

/** @param {Float64Array} values */
function median(values) {
	const sorted = values.slice().sort();
	const middle = sorted.length >> 1;
	if (sorted.length % 2) return sorted[middle];
	return sorted.length ? (sorted[middle - 1] + sorted[middle]) / 2 : Number.NaN;
}
