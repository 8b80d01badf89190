import { count } from "../base/format.js";
import { shownNames } from "../base/names.js";
import { escapeMarkup } from "./layout.js";

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

/** How much of its colour the raw curve keeps behind the smoothed one. */
const PALE = "80";

const NAME_LENGTH = 36;

/** @param {number} weight */
const formula = (weight) => `EMA ${weight.toFixed(2)}, debiased`;

/**
 * How a curve is drawn. `label` tells it from the others of a chart, by `group` in the
 * legend; without one the curve is alone, and named by its metric.
 * @typedef {{color: string, dash: string, label: string, group: string}} Line
 */

/**
 * The raw curve first, paler where it is smoothed.
 * @param {MetricInfo} info
 * @param {Curve} curve
 * @param {Options} options
 * @param {Line} line
 */
export function traces(info, curve, options, line) {
	const { color, dash, label } = line;
	const name = escapeMarkup(shownNames([info.name], NAME_LENGTH)(info.name));
	const { x, y, smooth, nonfinite, envelope } = curve;
	const raw = {
		type: "scatter",
		mode: "lines",
		name,
		x,
		y,
		line: smooth
			? { color: `${color}${PALE}`, width: 1, dash }
			: { color, width: envelope ? 1 : 1.5, dash },
		marker: { color, size: 4 },
		hovertemplate: "%{y:.6~g}<extra></extra>",
	};
	const average = {
		...raw,
		name: `${name} · ${formula(options.weight)}`,
		y: smooth,
		line: { color, width: 2, dash },
		hovertemplate: "EMA %{y:.6~g}<extra></extra>",
	};
	const lines = smooth ? [raw, average] : [raw];
	const marks = nonfinite.map((kind) => nonfiniteTrace(kind, options, line));
	const all = [...lines, ...marks, ...lonePoints(raw)];
	return label
		? all.map((trace, i) => labelled(trace, i === lines.length - 1, line))
		: all.map((trace) => ({ showlegend: options.wide, ...trace }));
}

/**
 * @template {{hovertemplate: string}} Trace
 * @param {Trace} trace
 * @param {boolean} main
 * @param {Line} line
 */
const labelled = (trace, main, { label, group }) => ({
	...trace,
	name: escapeMarkup(label),
	legendgroup: group,
	showlegend: main,
	hovertemplate: trace.hovertemplate.replace(
		"<extra></extra>",
		"<extra>%{fullData.name}</extra>",
	),
});

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
 * @param {Line} line
 */
function nonfiniteTrace({ kind, total, points }, { theme, log }, line) {
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
		marker: { symbol, size: 9, color: line.label ? line.color : theme.error },
		hovertemplate: `${kind}<extra></extra>`,
	};
}
