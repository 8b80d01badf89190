import { parseParameter, QUANTILES } from "../data/parameters.js";
import { side } from "./envelope.js";
import { layout } from "./layout.js";
import { joined, missingTraces } from "./missing.js";
import { nonfiniteTrace } from "./nonfinite.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Drawing } from "./drawing.js" */
/** @import { Outline } from "./envelope.js" */
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
	const odd = [...of].flatMap(([q, { nonfinite }]) =>
		nonfinite.map((kind) => ({
			...nonfiniteTrace(kind, options, { color: line, label: q }),
			showlegend: false,
		})),
	);
	const hatched = missingTraces(curves, options);
	const shape = { lane: odd.length > 0, missing: hatched.length > 0 };
	return {
		data: [...hatched, ...filled, ...single, ...odd, readout(of, first)],
		layout: layout({ heights: [], ...shape }, linear, yaxis, false),
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
 * The area between two curves. It goes on over values that are not finite, but not
 * over what is not here.
 * @param {Curve | undefined} low
 * @param {Curve | undefined} high
 * @param {string} fillcolor
 * @param {boolean} log whether only what is above zero has a place
 */
export function band(low, high, fillcolor, log = false) {
	const under = low ? side(low, "low", log) : NOTHING;
	const over = high ? side(high, "high", log) : NOTHING;
	const missing = joined([low, high].flatMap((curve) => curve?.missing ?? []));
	const gaps = [...missing.map(([a]) => a), Infinity];
	const areas = gaps.map((until, k) => {
		const from = missing[k - 1]?.[1] ?? -Infinity;
		const [lower, upper] = [under, over].map((outline) =>
			between(outline, from, until),
		);
		return {
			x: [...lower.x, ...upper.x.reverse(), Number.NaN],
			y: [...lower.y, ...upper.y.reverse(), Number.NaN],
		};
	});
	return {
		type: "scatter",
		mode: "lines",
		x: areas.flatMap(({ x }) => x).slice(0, -1),
		y: areas.flatMap(({ y }) => y).slice(0, -1),
		fill: "toself",
		fillcolor,
		// A band of one step is seen as a bar.
		line: { color: fillcolor, width: under.x.length === 1 ? 8 : 0 },
		hoverinfo: "skip",
		showlegend: false,
	};
}

/** @type {Outline} */
const NOTHING = { x: [], y: [] };

/**
 * @param {Outline} outline
 * @param {number} from
 * @param {number} to
 * @returns {Outline}
 */
function between({ x, y }, from, to) {
	const kept = [...x.keys()].filter((i) => from <= x[i] && x[i] <= to);
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
	// Curves of which more is here than of others have more points.
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
