import { shownNames } from "../base/names.js";
import { envelope } from "./envelope.js";
import { escapeMarkup } from "./layout.js";
import { nonfiniteTrace } from "./nonfinite.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Options } from "./layout.js" */

/** How much of its colour the raw curve keeps behind the smoothed one. */
const PALE = "80";
/** And its area, between edges that show also where it has no height. */
export const EDGE = "99";
export const FILL = "4d";
const LIGHT = "40";
const LIGHTER = "26";

const NAME_LENGTH = 36;

/** @param {number} weight */
const formula = (weight) => `EMA ${weight.toFixed(2)}, debiased`;

/**
 * How a curve is drawn. `label` tells it from the others of a chart, by `group` in the
 * legend; without one the curve is alone, and named by its metric.
 * @typedef {{color: string, dash: string, label: string, group: string}} Line
 */

/** What the pointer reads of a value, and of a bucket of them. */
const VALUE = "%{y:.6~g}";
const BUCKET =
	"mean %{y:.4~g} (%{customdata[0]:.4~g} to %{customdata[1]:.4~g})";

/**
 * The raw curve first, paler where it is smoothed, on the area of what it stands for.
 * @param {MetricInfo} info
 * @param {Curve} curve
 * @param {Options} options
 * @param {Line} line
 */
export function traces(info, curve, options, line) {
	const { color, dash, label } = line;
	const name = escapeMarkup(shownNames([info.name], NAME_LENGTH)(info.name));
	const { x, y, smooth, nonfinite, buckets } = curve;
	const raw = {
		type: "scatter",
		mode: "lines",
		name,
		x,
		y,
		line: smooth
			? { color: `${color}${PALE}`, width: 1, dash }
			: { color, width: buckets ? 1.2 : 1.5, dash },
		marker: { color, size: 4 },
		...(buckets ? { customdata: readings(curve) } : {}),
		hovertemplate: `${buckets ? BUCKET : VALUE}<extra></extra>`,
	};
	const average = {
		...raw,
		name: `${name} · ${formula(options.weight)}`,
		y: smooth,
		line: { color, width: 2, dash },
		hovertemplate: "EMA %{y:.6~g}<extra></extra>",
	};
	const lines = smooth ? [raw, average] : [raw];
	const odd = nonfinite.map((kind) => nonfiniteTrace(kind, options, line));
	const area = envelopeTrace(
		curve,
		options,
		smooth ? [LIGHT, LIGHTER] : [EDGE, FILL],
		color,
	);
	const all = [...lines, ...odd, ...lonePoints(raw)];
	const named = label
		? all.map((trace, i) => labelled(trace, i === lines.length - 1, line))
		: all.map((trace) => ({ showlegend: options.wide, ...trace }));
	return [
		...area.map((trace) => ({ ...trace, legendgroup: line.group })),
		...named,
	];
}

/** @param {Curve} curve */
const readings = ({ y, low, high, count }) =>
	Array.from(y, (value, i) =>
		Number.isNaN(count[i]) ? [value, value] : [low[i], high[i]],
	);

/**
 * From the lowest to the highest value of each bucket; nothing where there are none.
 * @param {Curve} curve
 * @param {Pick<Options, "log">} options
 * @param {[string, string]} opacities of its edge and its area
 * @param {string} color
 */
export function envelopeTrace(curve, { log }, [edge, fill], color) {
	const area = envelope(curve, log);
	if (!area.x.length) return [];
	return [
		{
			...{ type: "scatter", mode: "lines", ...area },
			...{ fill: "toself", fillcolor: `${color}${fill}` },
			line: { color: `${color}${edge}`, width: 1 },
			...{ hoverinfo: "skip", showlegend: false },
		},
	];
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
