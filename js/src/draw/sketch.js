/** @import { Curve } from "../curve/curve.js" */

/** Heights of a sketch, from its top down. */
const TOP = 2;
const BOTTOM = 22;

/** How large a sketch is by its own measure; it fills what it stands in. */
export const SIZE = { width: 1000, height: 24 };

/**
 * The highest and the lowest of a curve, point by point.
 * @typedef {{x: number[], low: number[], high: number[]}} Outline
 */

/**
 * What of a curve can be drawn.
 * @param {Pick<Curve, "x" | "y" | "low" | "high">} curve
 * @param {number} [after] only what stands behind that
 * @returns {Outline}
 */
export function outline({ x, y, low, high }, after = -Infinity) {
	/** @type {Outline} */
	const made = { x: [], low: [], high: [] };
	for (let i = 0; i < x.length; i++) {
		const [least, most] = [low[i], high[i]].map((end) =>
			Number.isNaN(end) ? y[i] : end,
		);
		if (!(x[i] > after) || !Number.isFinite(least + most)) continue;
		made.x.push(x[i]);
		made.low.push(least);
		made.high.push(most);
	}
	return made;
}

/**
 * One outline, and another behind it; of too many points two become one.
 * @param {Outline} before
 * @param {Outline} behind
 * @param {number} most
 * @returns {Outline}
 */
export function joined(before, behind, most) {
	const x = [...before.x, ...behind.x];
	const low = [...before.low, ...behind.low];
	const high = [...before.high, ...behind.high];
	if (x.length <= most) return { x, low, high };
	/** @param {number[]} of @param {(a: number, b: number) => number} pick */
	const halved = (of, pick) =>
		of.flatMap((value, i) => (i % 2 ? [] : [pick(value, of[i + 1] ?? value)]));
	return {
		x: halved(x, (first) => first),
		low: halved(low, Math.min),
		high: halved(high, Math.max),
	};
}

/**
 * An outline as the path of an SVG, along its highest values and back along the lowest.
 * @param {Outline} outline
 * @param {[number, number]} range of the axis
 */
export function sketch({ x, low, high }, [from, to]) {
	if (!x.length) return "";
	const least = low.reduce((a, b) => Math.min(a, b));
	const most = high.reduce((a, b) => Math.max(a, b));
	/** @param {number} at @param {number} value */
	const point = (at, value) => {
		const share = most > least ? (value - least) / (most - least) : 0.5;
		const left = ((at - from) / (to - from)) * SIZE.width;
		return `${left.toFixed(1)} ${(BOTTOM - share * (BOTTOM - TOP)).toFixed(1)}`;
	};
	const there = x.map((at, i) => point(at, high[i]));
	const back = x.map((at, i) => point(at, low[i])).reverse();
	const isLine = low.every((value, i) => value === high[i]);
	return isLine ? `M${there.join("L")}` : `M${[...there, ...back].join("L")}Z`;
}

/**
 * Draws a path; its area, too, where it has one.
 * @param {SVGPathElement} line
 * @param {string} path
 * @param {string} color
 */
export function draw(line, path, color) {
	line.setAttribute("d", path);
	line.setAttribute("stroke", color);
	line.setAttribute("fill", path.endsWith("Z") ? color : "none");
}
