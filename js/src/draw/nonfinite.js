import { count } from "../base/format.js";

/** @import { Nonfinite } from "../curve/curve.js" */
/** @import { Options } from "./layout.js" */

/** How each kind is drawn in the lane below the curves, and at which height of it. */
const LOOKS = new Map([
	["NaN", { symbol: "x", height: 0.5 }],
	["+Inf", { symbol: "triangle-up", height: 0.85 }],
	["−Inf", { symbol: "triangle-down", height: 0.15 }],
]);

/**
 * Values of one kind that are not finite, one mark a pixel at most.
 * @param {Nonfinite} nonfinite
 * @param {Options} options
 * @param {{color: string, label: string}} line how its curve is drawn
 */
export function nonfiniteTrace({ kind, x, counts }, options, line) {
	const { symbol, height } = LOOKS.get(kind) ?? { symbol: "x", height: 0.5 };
	const marks = perPixel(x, counts, options);
	const total = counts.reduce((sum, n) => sum + n, 0);
	return {
		type: "scatter",
		mode: "markers",
		name: `${kind}: ${count(total)}`,
		x: marks.map((mark) => mark.x),
		y: marks.map(() => height),
		customdata: marks.map((mark) => mark.count),
		yaxis: "y3",
		marker: {
			symbol,
			size: 6,
			color: line.label ? line.color : options.theme.error,
		},
		hovertemplate: `${kind}, %{customdata:,} here<extra></extra>`,
	};
}

/**
 * @param {number[]} x
 * @param {number[]} counts
 * @param {Pick<Options, "range" | "width">} options
 */
export function perPixel(x, counts, { range: [from, to], width }) {
	/** @type {Map<number, {x: number, count: number}>} */
	const pixels = new Map();
	x.forEach((place, i) => {
		const pixel = Math.floor(((place - from) / (to - from)) * width);
		const mark = pixels.get(pixel) ?? { x: place, count: 0 };
		mark.count += counts[i];
		pixels.set(pixel, mark);
	});
	return [...pixels.values()];
}
