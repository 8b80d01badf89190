import { number } from "./format.js";

/** @import { Curve, Odd } from "./curve.js" */
/** @import { Axis } from "./axes.js" */
/** @import { MetricInfo } from "./protocol" */

/**
 * @typedef {{
 *   text: string, muted: string, grid: string, line: string, raw: string,
 *   error: string, mark: string, background: string, font: string,
 * }} Theme
 * @typedef {{x: number, kind: string, text: string}} Line
 * @typedef {{
 *   axis: Axis, range: [number, number], zoomed: number, weight: number,
 *   log: boolean, theme: Theme, lines: Line[], wide: boolean,
 *   width: number, height: number,
 * }} Options
 */

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
 * The Plotly figure of one metric. Trace 0 is always the raw curve.
 * @param {MetricInfo} info
 * @param {Curve} curve
 * @param {Options} options
 * @param {object} override of the layout's y axis, by the panel
 */
export function figure(info, curve, options, override) {
	return {
		data: traces(info, curve, options),
		layout: layout(info, options, override),
	};
}

/**
 * @param {MetricInfo} info
 * @param {Curve} curve
 * @param {Options} options
 */
function traces({ name }, { x, y, smooth, odd }, { theme, weight, wide }) {
	const raw = {
		type: "scatter",
		mode: x.length === 1 ? "markers" : "lines",
		name,
		x,
		y,
		line: smooth
			? { color: theme.raw, width: 1 }
			: { color: theme.line, width: 1.5 },
		marker: { color: theme.line },
		showlegend: wide && !smooth,
		hovertemplate: "%{y:.6~g}<extra></extra>",
	};
	const average = {
		...raw,
		name: `${name} · ${formula(weight)}`,
		y: smooth,
		line: { color: theme.line, width: 2 },
		showlegend: wide,
		hovertemplate: `%{y:.6~g} (${formula(weight)})<extra></extra>`,
	};
	const marks = KINDS.flatMap((kind) => oddTrace(kind, odd, theme, wide));
	return smooth ? [raw, average, ...marks] : [raw, ...marks];
}

/**
 * NaN stands where the curve was; infinities at the edge of the panel.
 * @param {typeof KINDS[number]} kind
 * @param {Odd[]} odd
 * @param {Theme} theme
 * @param {boolean} wide
 */
function oddTrace({ name, symbol, edge, is }, odd, theme, wide) {
	const found = odd.filter(({ value }) => is(value));
	if (!found.length) return [];
	const onCurve =
		name === "NaN" && found.every(({ base }) => Number.isFinite(base));
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

/**
 * @param {MetricInfo} info
 * @param {Options} options
 * @param {object} override
 */
function layout(info, options, override) {
	const { axis, range, zoomed, log, theme, lines, wide, width, height } =
		options;
	const drawn = {
		gridcolor: theme.grid,
		linecolor: theme.grid,
		zerolinecolor: theme.grid,
		tickfont: { color: theme.muted, size: 11 },
	};
	return {
		width,
		height,
		autosize: false,
		margin: { l: 56, r: 14, t: wide ? 26 : 6, b: 34 },
		paper_bgcolor: "rgba(0,0,0,0)",
		plot_bgcolor: "rgba(0,0,0,0)",
		font: { color: theme.text, family: theme.font, size: 11 },
		hoverlabel: {
			bgcolor: theme.background,
			bordercolor: theme.muted,
			font: { color: theme.text },
		},
		hovermode: "x",
		dragmode: "zoom",
		showlegend: wide,
		legend: {
			orientation: "h",
			x: 1,
			xanchor: "right",
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
			title: {
				text: axis.title,
				font: { color: theme.muted, size: 11 },
				standoff: 4,
			},
			range,
			uirevision: `${axis.id} ${range}`,
			tickformat: axis.id === "step" ? "," : "",
			showspikes: true,
			spikemode: "across",
			spikethickness: 1,
			spikedash: "dot",
			spikecolor: theme.muted,
		},
		yaxis: {
			...drawn,
			type: log ? "log" : "linear",
			autorange: true,
			nticks: wide ? 6 : 5,
			uirevision: `${zoomed} ${log}`,
			title: info.unit
				? {
						text: info.unit,
						font: { color: theme.muted, size: 11 },
						standoff: 4,
					}
				: undefined,
			...override,
		},
		yaxis2: {
			overlaying: "y",
			range: [0, 1],
			visible: false,
			fixedrange: true,
		},
		shapes: lines.map((line) => shape(line, theme)),
		annotations: wide ? lines.map((line) => label(line, theme)) : [],
	};
}

/**
 * @param {Line} line
 * @param {Theme} theme
 */
function shape({ x, kind }, theme) {
	const plain = kind === "epoch_end";
	return {
		type: "line",
		x0: x,
		x1: x,
		yref: "paper",
		y0: 0,
		y1: 1,
		line: {
			color: colour(kind, theme),
			width: plain ? 1 : 1.5,
			dash: plain ? "dot" : "solid",
		},
	};
}

/**
 * @param {Line} line
 * @param {Theme} theme
 */
function label({ x, kind, text }, theme) {
	return {
		x,
		xanchor: kind === "failed" || kind === "stopped" ? "right" : "left",
		yref: "paper",
		y: 1,
		yanchor: "top",
		text: escapeMarkup(text),
		showarrow: false,
		font: { size: 10, color: colour(kind, theme) },
	};
}

/**
 * @param {string} kind
 * @param {Theme} theme
 */
function colour(kind, theme) {
	if (kind === "failed") return theme.error;
	return kind === "epoch_end" ? theme.muted : theme.mark;
}

/**
 * Plotly reads a few tags in text; a name must be shown as it is.
 * @param {string} text
 */
export const escapeMarkup = (text) =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * What a log axis cannot show.
 * @param {Curve} curve
 */
export function hidden({ y, envelope }) {
	const low = y.filter((value) => value <= 0 && Number.isFinite(value)).length;
	if (!low) return "";
	const some = envelope ? `at least ${number(low)}` : number(low);
	return `${some} ${low === 1 ? "value" : "values"} ≤ 0 not on a log axis`;
}
