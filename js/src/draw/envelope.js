/** @import { Curve } from "../curve/curve.js" */

/** The outline of an area, with gaps. @typedef {{x: number[], y: number[]}} Outline */

/**
 * The area between the lowest and the highest value of each bucket: steps at the edges
 * of buckets, and a gap where there are none.
 * @param {Curve} curve
 * @param {boolean} positive whether only what is above zero has a place
 * @returns {Outline}
 */
export function envelope(curve, positive) {
	const floor = positive ? leastPositive(curve) : -Infinity;
	/** @type {Outline} */
	const area = { x: [], y: [] };
	for (const [start, stop] of runs(curve, floor)) {
		const low = edge(curve, curve.low, start, stop, floor);
		const high = edge(curve, curve.high, start, stop, floor);
		if (area.x.length) add(area, { x: [Number.NaN], y: [Number.NaN] });
		add(area, low);
		add(area, { x: high.x.reverse(), y: high.y.reverse() });
	}
	return area;
}

/**
 * Stretches of neighbouring buckets with something to see.
 * @param {Curve} curve
 * @param {number} floor
 */
function runs({ left, right, high }, floor) {
	/** @type {[number, number][]} */
	const found = [];
	for (let i = 0; i < left.length; i++) {
		if (!(high[i] >= floor)) continue;
		const last = found.at(-1);
		if (last?.[1] === i && left[i] === right[i - 1]) last[1] = i + 1;
		else found.push([i, i + 1]);
	}
	return found;
}

/**
 * One side of an area: a step for each bucket, a point for each value.
 * @param {Pick<Curve, "x" | "left" | "right">} curve
 * @param {Float64Array} heights
 * @param {number} start
 * @param {number} stop
 * @param {number} floor
 * @returns {Outline}
 */
function edge({ x, left, right }, heights, start, stop, floor) {
	/** @type {Outline} */
	const side = { x: [], y: [] };
	for (let i = start; i < stop; i++) {
		if (!Number.isFinite(heights[i])) continue;
		const y = Math.max(heights[i], floor);
		if (Number.isNaN(left[i])) add(side, { x: [x[i]], y: [y] });
		else add(side, { x: [left[i], right[i]], y: [y, y] });
	}
	return side;
}

/**
 * One side of the area between two curves, over all that is finite.
 * @param {Curve} curve
 * @param {"low" | "high"} which
 * @param {boolean} positive
 * @returns {Outline}
 */
export function side(curve, which, positive) {
	const heights = curve.y.map((y, i) =>
		Number.isNaN(curve.left[i]) ? y : curve[which][i],
	);
	const all = edge(curve, heights, 0, heights.length, -Infinity);
	if (!positive) return all;
	const kept = [...all.y.keys()].filter((i) => all.y[i] > 0);
	return { x: kept.map((i) => all.x[i]), y: kept.map((i) => all.y[i]) };
}

/** @param {Curve} curve */
const leastPositive = ({ y, low, high }) =>
	[y, low, high].reduce(
		(least, values) => values.reduce((a, b) => (b > 0 && b < a ? b : a), least),
		Infinity,
	);

/**
 * @param {Outline} outline
 * @param {Outline} more
 */
function add(outline, more) {
	outline.x.push(...more.x);
	outline.y.push(...more.y);
}

/**
 * What a curve reaches, point after point: of a bucket its lowest and its highest value.
 * @param {Curve} curve
 */
export function heightsOf({ x, y, low, high, left }) {
	/** @type {Outline} */
	const all = { x: [], y: [] };
	for (let i = 0; i < x.length; i++) {
		if (Number.isNaN(left[i])) add(all, { x: [x[i]], y: [y[i]] });
		else add(all, { x: [x[i], x[i]], y: [low[i], high[i]] });
	}
	return { x: Float64Array.from(all.x), y: Float64Array.from(all.y) };
}
