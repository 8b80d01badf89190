import { count } from "../base/format.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { Nonfinite } from "../curve/nonfinite.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Options } from "./layout.js" */

/** How each kind of non-finite value is drawn, and where on a panel's height. */
const LOOKS = new Map([
	["NaN", { symbol: "x", edge: 0.5 }],
	["+Inf", { symbol: "triangle-up", edge: 0.96 }],
	["−Inf", { symbol: "triangle-down", edge: 0.04 }],
]);

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
	const { x, y, smooth, nonfinite, envelope } = curve;
	const raw = {
		type: "scatter",
		mode: "lines",
		name,
		x,
		y,
		line: smooth
			? { color: theme.raw, width: 1 }
			: { color: theme.line, width: envelope ? 1 : 1.5 },
		marker: { color: theme.line, size: 4 },
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
	const nonfiniteTraces = nonfinite.map((kind) =>
		nonfiniteTrace(kind, options),
	);
	const points = lonePoints(raw);
	return smooth
		? [raw, average, ...nonfiniteTraces, ...points]
		: [raw, ...nonfiniteTraces, ...points];
}

/**
 * A value between two gaps is on no line.
 * @template {{x: Float64Array, y: Float64Array}} Trace
 * @param {Trace} raw
 */
function lonePoints(raw) {
	const { x, y } = raw;
	const alone = [...y.keys()].filter(
		(i) =>
			Number.isFinite(y[i]) &&
			!Number.isFinite(y[i - 1]) &&
			!Number.isFinite(y[i + 1]),
	);
	if (!alone.length) return [];
	const points = { x: alone.map((i) => x[i]), y: alone.map((i) => y[i]) };
	return [
		{
			...raw,
			...points,
			mode: "markers",
			hoverinfo: "skip",
			showlegend: false,
		},
	];
}

/**
 * NaN stands where the curve was; infinities at the edge of the panel.
 * @param {Nonfinite} nonfinite
 * @param {Options} options
 */
function nonfiniteTrace({ kind, total, points }, { theme, wide, log }) {
	const { symbol, edge } = LOOKS.get(kind) ?? { symbol: "x", edge: 0.5 };
	const onCurve =
		kind === "NaN" &&
		points.every(({ base }) => Number.isFinite(base) && (!log || base > 0));
	const few = points.length < total;
	return {
		type: "scatter",
		mode: "markers",
		name: few ? `${kind}: ${count(points.length)} of ${count(total)}` : kind,
		x: points.map(({ x }) => x),
		y: points.map(({ base }) => (onCurve ? base : edge)),
		yaxis: onCurve ? "y" : "y2",
		marker: { symbol, size: 9, color: theme.error },
		showlegend: wide,
		hovertemplate: `${kind}<extra></extra>`,
	};
}
