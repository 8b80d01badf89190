import { parseParameter, QUANTILES } from "../data/parameters.js";
import { layout } from "./layout.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Drawing } from "./drawing.js" */
/** @import { Options } from "./layout.js" */

/** Between which quantiles a band stands, the widest first, and its opacity. */
const BANDS = /** @type {const} */ ([
	["min", "max", "1f"],
	["p1", "p99", "33"],
	["p5", "p95", "40"],
	["p25", "p75", "59"],
]);

/**
 * Filled bands between quantiles, the median as a line.
 * @param {MetricInfo[]} metrics
 * @param {Curve[]} curves
 * @param {Options} options
 * @param {object} yaxis
 * @returns {Drawing}
 */
export function bands(metrics, curves, options, yaxis) {
	const of = new Map(
		metrics.map(({ name }, i) => [
			parseParameter(name)?.quantile ?? "",
			curves[i],
		]),
	);
	const [line] = options.theme.palette;
	const shown = BANDS.filter(([low, high]) => of.has(low) && of.has(high));
	const filled = shown.map(([low, high, opacity]) =>
		band(of.get(low), of.get(high), `${line}${opacity}`),
	);
	/** @param {string} q */
	const inBand = (q) => shown.some((ends) => ends.some((end) => end === q));
	const single = [...of]
		.filter(([q]) => !inBand(q))
		.map(([q, curve]) => edge(q, curve, line));
	// Weights are on both sides of zero: a log axis would hide half of them.
	const linear = { ...options, log: false };
	const [first] = curves;
	return {
		data: [...filled, ...single, readout(of, first)],
		layout: layout(first, linear, yaxis, false),
		remark: options.log ? "always linear" : said(shown, of),
	};
}

/**
 * @param {readonly (readonly string[])[]} shown
 * @param {Map<string, Curve>} of
 */
function said(shown, of) {
	const bands = shown.map(([low, high]) =>
		`${low}–${high}`.replaceAll("p", ""),
	);
	return [...bands, ...(of.has("p50") ? ["median"] : [])].join(" · ");
}

/**
 * @param {Curve | undefined} low
 * @param {Curve | undefined} high
 * @param {string} fillcolor
 * @param {boolean} log whether only what is above zero has a place
 */
export function band(low, high, fillcolor, log = false) {
	const [under, over] = [finite(low, log), finite(high, log)];
	return {
		type: "scatter",
		mode: "lines",
		x: [...under.x, ...over.x.reverse()],
		y: [...under.y, ...over.y.reverse()],
		fill: "toself",
		fillcolor,
		// A band of one step is seen as a bar.
		line: { color: fillcolor, width: under.x.length === 1 ? 8 : 0 },
		hoverinfo: "skip",
		showlegend: false,
	};
}

/**
 * A band goes on over values that are not finite, and over rows that are missing.
 * @param {Curve | undefined} curve
 * @param {boolean} positive
 */
function finite(curve, positive) {
	const { x, y } = curve ?? { x: [], y: [] };
	const kept = [...y.keys()].filter(
		(i) => Number.isFinite(y[i]) && (!positive || y[i] > 0),
	);
	return { x: kept.map((i) => x[i]), y: kept.map((i) => y[i]) };
}

/**
 * @param {string} quantile
 * @param {Curve} curve
 * @param {string} color
 */
const edge = (quantile, { x, y }, color) => ({
	type: "scatter",
	mode: "lines",
	name: quantile,
	x,
	y,
	line: { color, width: quantile === "p50" ? 1.8 : 0.8 },
	hoverinfo: "skip",
	showlegend: false,
});

/**
 * What the pointer reads: all quantiles of a step at once.
 * @param {Map<string, Curve>} of
 * @param {Curve} first
 */
function readout(of, first) {
	const names = QUANTILES.filter((name) => of.has(name));
	const main = of.get("p50") ?? first;
	// Thinned curves have each its own steps.
	const rows = names.filter((q) => of.get(q)?.x.length === main.x.length);
	const text = rows.map((q, i) => `${q} %{customdata[${i}]:.4~g}`).reverse();
	return {
		type: "scatter",
		mode: "markers",
		x: main.x,
		y: main.y,
		customdata: [...main.x.keys()].map((i) => rows.map((q) => of.get(q)?.y[i])),
		marker: { opacity: 0, size: 4 },
		hovertemplate: `${text.join("<br>")}<extra></extra>`,
		showlegend: false,
	};
}
