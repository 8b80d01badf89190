/** @import { Series } from "../data/series.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { SeriesOf } from "./plan.js" */

/** So many lines can be told apart. */
const MOST = 8;
const RECENT = 20;

/**
 * Of many metrics the largest, and of the rest the one that moved most since its
 * start; in their own order.
 * @param {MetricInfo[]} metrics
 * @param {SeriesOf} seriesOf
 */
export function largestMetrics(metrics, seriesOf) {
	if (metrics.length <= MOST) return metrics;
	const sized = metrics.map((info) => ({ info, ...ends(seriesOf(info.name)) }));
	sized.sort((a, b) => b.last - a.last);
	const largest = sized.slice(0, MOST - 1);
	const moved = sized
		.slice(MOST - 1)
		.reduce((a, b) => (b.change > a.change ? b : a));
	const label = `${moved.info.label} · moved most`;
	const chosen = new Map(largest.map(({ info }) => [info.name, info]));
	chosen.set(moved.info.name, { ...moved.info, label });
	return metrics.flatMap(({ name }) => chosen.get(name) ?? []);
}

/**
 * A metric's size now, 0 when unknown, and by how many times it rose or fell.
 * @param {Series[]} series
 */
function ends(series) {
	const first = series[0]?.values.view().find((value) => value > 0) ?? 0;
	const recent = series.at(-1)?.values.view().slice(-RECENT) ?? [];
	const newest = recent[recent.length - 1] ?? 0;
	const last = Number.isFinite(newest) ? median(recent) : Infinity;
	// What has become zero has moved as far as anything can.
	return { last, change: first ? Math.abs(Math.log(last / first)) : 0 };
}

/** @param {ArrayLike<number>} values */
const median = (values) =>
	Float64Array.from(values).sort()[values.length >> 1] ?? 0;
