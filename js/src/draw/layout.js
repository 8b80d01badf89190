import { number } from "../base/format.js";
import { leansBack } from "./labels.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { Axis } from "../curve/axes.js" */
/** @import { MarkLine } from "./labels.js" */
/** @import { Reference } from "../protocol" */
/** @import { Outlier, Span } from "./span.js" */

/** The name of the signs of values outside of the picture. */
export const OUTLIER = "outlier";

/** @type {Span} */
const ALL = { range: null, outliers: [] };

/**
 * `whole`: also values out of all proportion are in the picture.
 * @typedef {{
 *   axis: Axis, range: [number, number], zoomed: number, weight: number,
 *   log: boolean, theme: Theme, markLines: MarkLine[], wide: boolean,
 *   width: number, height: number, whole: boolean, waits: string,
 *   references: Reference[], strip: boolean,
 * }} Options `strip`: of little height, under another chart; `references` are of the chart's metrics; `waits` says of what is not here why that is
 *
 * What of the curves decides about the layout: their heights, what of these is in the
 * picture, whether there is a lane for what is not finite, and whether some is missing.
 * @typedef {{
 *   heights: Float64Array[], lane: boolean, missing: boolean, span?: Span,
 * }} Shown
 */

/** The lane of what is not finite, and what is left above it, in pixels. */
const LANE_PX = 16;
const GAP_PX = 5;

/** How an axis writes its numbers, where Plotly does not know better. */
const TICKS = new Map([
	["step", ","],
	["samples", "~s"],
	["tokens", "~s"],
]);

/**
 * @param {Shown} shown
 * @param {Options} options
 * @param {object} override of the y axis, by the panel
 * @param {boolean} legend
 */
export function layout(shown, options, override, legend) {
	const { heights, lane, missing, span = ALL } = shown;
	const { axis, range, zoomed, log, theme, wide, strip, width, height } =
		options;
	const markLines = options.markLines;
	const references = options.references.filter(
		({ value }) => !log || value > 0,
	);
	const whole = options.whole && span.outliers.length > 0;
	const drawn = {
		gridcolor: theme.grid,
		linecolor: theme.grid,
		zerolinecolor: theme.grid,
		tickfont: { color: theme.muted, size: 11 },
		// What fits needs no measuring.
		tickangle: 0,
	};
	const margin = strip
		? { ...MARGIN, t: 4, b: 4 }
		: { ...MARGIN, t: legend ? 26 : wide ? 14 : 6 };
	const inner = Math.max(height - margin.t - margin.b, 1);
	const bottom = lane ? (LANE_PX + GAP_PX) / inner : 0;
	return {
		width,
		height,
		autosize: false,
		margin,
		paper_bgcolor: theme.background,
		plot_bgcolor: "rgba(0,0,0,0)",
		font: { color: theme.text, family: theme.font, size: 11 },
		hoverlabel: {
			bgcolor: theme.background,
			bordercolor: theme.muted,
			font: { color: theme.text },
		},
		hovermode: "x",
		dragmode: "zoom",
		showlegend: legend,
		legend: {
			orientation: "h",
			x: 0,
			xanchor: "left",
			y: 1,
			yanchor: "bottom",
		},
		modebar: {
			bgcolor: "rgba(0,0,0,0)",
			color: theme.muted,
			activecolor: theme.text,
		},
		uirevision: "kept",
		xaxis: {
			...drawn,
			...(lane ? { anchor: "free", position: 0 } : {}),
			title: {
				text: strip ? "" : axis.title,
				font: { color: theme.muted, size: 11 },
				standoff: 4,
			},
			...(axis.id === "wall" ? { type: "date" } : {}),
			range,
			showticklabels: !strip,
			uirevision: `${axis.id} ${range}`,
			tickformat: TICKS.get(axis.id) ?? "",
			showspikes: true,
			spikemode: "across",
			spikethickness: 1,
			spikedash: "dot",
			spikecolor: theme.muted,
		},
		yaxis: {
			...drawn,
			...(log ? logAxis(heights) : { type: "linear" }),
			domain: [bottom, 1],
			autorange: true,
			nticks: strip ? 3 : wide ? 6 : 5,
			ticklabeloverflow: "allow",
			uirevision: `${zoomed} ${log} ${whole}`,
			// Charts over each other have one left edge.
			automargin: !wide,
			...override,
			...(span.range && !whole ? { autorange: false, range: span.range } : {}),
		},
		...(missing ? { yaxis2: { ...LANE, overlaying: "y" } } : {}),
		...(lane ? { yaxis3: { ...LANE, domain: [0, LANE_PX / inner] } } : {}),
		shapes: [
			...markLines.map((line) => shape(line, theme)),
			...references.map((reference) => level(reference, theme)),
		],
		annotations: [
			...references.map((reference) => levelLabel(reference, theme, log)),
			...(wide && !strip
				? markLines.map((line) => label(line, theme, range))
				: []),
			...span.outliers
				.filter(({ x }) => x >= range[0] && x <= range[1])
				.map((point) => sign(point, heights, options)),
		],
	};
}

const MARGIN = { l: 54, r: 12, b: 34 };
const LANE = { range: [0, 1], visible: false, fixedrange: true, anchor: "x" };

/**
 * How wide the curves' part of a chart is, in pixels.
 * @param {number} width of the chart
 */
export const plotWidth = (width) => Math.max(width - MARGIN.l - MARGIN.r, 1);

/**
 * Ticks at 1, 2 and 5 read well over a few decades; else Plotly knows better.
 * @param {Float64Array[]} heights
 */
function logAxis(heights) {
	let [low, high] = [Infinity, 0];
	for (const values of heights) {
		for (const value of values) {
			if (!(value > 0) || value === Infinity) continue;
			low = Math.min(low, value);
			high = Math.max(high, value);
		}
	}
	const decades = Math.log10(high / low);
	if (!(decades > 0.3 && decades < 2.5)) return { type: "log" };
	return { type: "log", dtick: "D2", tickformat: "~g" };
}

/** What comes often stays behind the curves. */
const FAINT = new Map([
	["epoch_end", { opacity: 0.5, dash: "dot" }],
	["eval", { opacity: 0.35, dash: "dash" }],
	["checkpoint", { opacity: 0.5, dash: "longdash" }],
	["skipped", { opacity: 0.7, dash: "dashdot" }],
	["no_number", { opacity: 0.8, dash: "dot" }],
]);

/**
 * @param {MarkLine} line
 * @param {Theme} theme
 */
function shape({ x, kind, color }, theme) {
	const faint = FAINT.get(kind);
	return {
		type: "line",
		x0: x,
		x1: x,
		yref: "paper",
		y0: 0,
		y1: 1,
		layer: "below",
		opacity: faint?.opacity ?? 1,
		line: {
			color: color ?? colour(kind, theme),
			width: faint ? 1 : 1.5,
			dash: faint?.dash ?? "solid",
		},
	};
}

/**
 * @param {Reference} reference
 * @param {Theme} theme
 */
const level = ({ value }, theme) => ({
	type: "line",
	xref: "paper",
	...{ x0: 0, x1: 1, y0: value, y1: value },
	layer: "below",
	line: { color: theme.muted, width: 1.5, dash: "dash" },
});

/**
 * Stands on its line, at the end of the axis.
 * @param {Reference} reference
 * @param {Theme} theme
 * @param {boolean} log
 */
const levelLabel = ({ value, label }, theme, log) => ({
	xref: "paper",
	...{ x: 1, xanchor: "right" },
	// Plotly takes the logarithm of a line's place, but not of a text's.
	...{ y: log ? Math.log10(value) : value, yanchor: "bottom" },
	text: escapeMarkup([label, number(value)].filter(Boolean).join(" ")),
	showarrow: false,
	font: { size: 10, color: theme.muted },
});

/**
 * Events stand under the epochs' labels, which may be at the same step.
 * @param {MarkLine} line
 * @param {Theme} theme
 * @param {[number, number]} range
 */
function label({ x, kind, text, row, color }, theme, range) {
	return {
		x,
		xanchor: leansBack(x, range) ? "right" : "left",
		yref: "paper",
		y: 1,
		yanchor: "top",
		yshift: row === undefined ? 0 : -13 * (row + 1),
		text: escapeMarkup(text),
		showarrow: false,
		font: { size: 10, color: color ?? colour(kind, theme) },
	};
}

/**
 * Stands at the edge beyond which a value lies; a click takes the value in, or out.
 * @param {Outlier} outlier
 * @param {Float64Array[]} heights of the curves
 * @param {Options} options
 */
function sign({ x, y }, heights, { theme, range, whole }) {
	const above = y > median(heights);
	const value = number(y);
	const arrow = above ? "▲" : "▼";
	return {
		name: OUTLIER,
		x,
		xanchor: leansBack(x, range) ? "right" : "left",
		xshift: leansBack(x, range) ? -3 : 3,
		yref: "paper",
		y: above ? 1 : 0,
		yanchor: above ? "top" : "bottom",
		text: whole ? `leave out ${value}` : `${arrow} ${value}`,
		hovertext: whole
			? "click to see the others closely"
			: `${value} is outside of the picture: click to see it`,
		captureevents: true,
		showarrow: false,
		font: { size: 11, color: theme.error },
		bgcolor: theme.background,
		bordercolor: theme.error,
		borderpad: 2,
	};
}

/** @param {Float64Array[]} heights */
function median(heights) {
	const all = heights.flatMap((values) => [...values].filter(Number.isFinite));
	const sorted = Float64Array.from(all).sort();
	return sorted[sorted.length >> 1];
}

/**
 * @param {string} kind
 * @param {Theme} theme
 */
function colour(kind, theme) {
	if (["failed", "alert", "no_number"].includes(kind)) return theme.error;
	return FAINT.has(kind) ? theme.muted : theme.mark;
}

/**
 * Plotly reads a few tags in text; a name must be shown as it is.
 * @param {string} text
 */
export const escapeMarkup = (text) =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
