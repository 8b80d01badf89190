/** @import { Curve, Odd } from "./curve.js" */
/** @import { Options } from "./figure.js" */
/** @import { MetricInfo } from "./protocol" */

/** How each kind of non-finite value is drawn, and where on a panel's height. */
const KINDS = [
	{ name: "NaN", symbol: "x", edge: 0.5, is: Number.isNaN },
	{ name: "+Inf", symbol: "triangle-up", edge: 0.96, is: equals(Infinity) },
	{ name: "−Inf", symbol: "triangle-down", edge: 0.04, is: equals(-Infinity) },
];

/** @param {number} limit @returns {(value: number) => boolean} */
function equals(limit) {
	return (value) => value === limit;
}

/** @param {number} weight */
export const formula = (weight) => `EMA ${weight.toFixed(2)}, debiased`;

/**
 * @param {MetricInfo} info
 * @param {Curve} curve
 * @param {Options} options
 */
export function traces(info, curve, options) {
	const { theme, weight, wide } = options;
	const { name } = info;
	const { x, y, smooth, odd, envelope } = curve;
	const raw = {
		type: "scatter",
		mode: x.length === 1 ? "markers" : "lines",
		name,
		x,
		y,
		line: smooth
			? { color: theme.raw, width: 1 }
			: { color: theme.line, width: envelope ? 1 : 1.5 },
		marker: { color: theme.line },
		showlegend: wide,
		hovertemplate: "%{y:.6~g}<extra></extra>",
	};
	const average = {
		...raw,
		name: `${name} · ${formula(weight)}`,
		y: smooth,
		line: { color: theme.line, width: 2 },
		showlegend: wide,
		hovertemplate: "EMA %{y:.6~g}<extra></extra>",
	};
	const marks = KINDS.flatMap((kind) => oddTrace(kind, odd, options));
	return smooth ? [raw, average, ...marks] : [raw, ...marks];
}

/**
 * NaN stands where the curve was; infinities at the edge of the panel.
 * @param {typeof KINDS[number]} kind
 * @param {Odd[]} odd
 * @param {Options} options
 */
function oddTrace({ name, symbol, edge, is }, odd, { theme, wide, log }) {
	const found = odd.filter(({ value }) => is(value));
	if (!found.length) return [];
	const onCurve =
		name === "NaN" &&
		found.every(({ base }) => Number.isFinite(base) && (!log || base > 0));
	return [
		{
			type: "scatter",
			mode: "markers",
			name,
			x: found.map(({ x }) => x),
			y: found.map(({ base }) => (onCurve ? base : edge)),
			yaxis: onCurve ? "y" : "y2",
			marker: { symbol, size: 9, color: theme.error },
			showlegend: wide,
			hovertemplate: `${name}<extra></extra>`,
		},
	];
}
