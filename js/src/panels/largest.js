/** @import { MetricInfo } from "../protocol" */
/** @import { Summed } from "./plan.js" */

/** So many lines can be told apart. */
const MOST = 8;

/**
 * Of many metrics the largest, and of the rest the one that moved most since its
 * start; in their own order.
 * @param {MetricInfo[]} metrics
 * @param {Summed} summed
 */
export function largestMetrics(metrics, summed) {
	if (metrics.length <= MOST) return metrics;
	const sized = metrics.map((info) => ({
		info,
		...ends(summed.get(info.name)),
	}));
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
 * @param {number[] | undefined} numbers
 */
function ends(numbers) {
	if (!numbers) return { last: 0, change: 0 };
	const [newest, , , , first, median] = numbers;
	// What has become NaN or zero is as odd as anything can be.
	const last = Number.isFinite(newest) ? newest && median : Infinity;
	return { last, change: first > 0 ? Math.abs(Math.log(last / first)) : 0 };
}
