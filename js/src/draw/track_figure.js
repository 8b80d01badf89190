import { bandLabel } from "../data/tracks.js";
import { alertPoints } from "./alert_points.js";
import { band } from "./bands.js";
import { hidden } from "./figure.js";
import { escapeMarkup, layout } from "./layout.js";
import { traces } from "./traces.js";

/** @import { Part } from "../curve/track_curves.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Drawing } from "./figure.js" */
/** @import { Options } from "./layout.js" */

/** A legend of more would hide the curves; the list of tracks has all. */
const LEGEND = 5;

/**
 * One metric of several tracks: bands at the back, single ranks on top.
 * @param {MetricInfo} info
 * @param {Part[]} parts at least one
 * @param {Options} options
 * @param {object} yaxis
 * @returns {Drawing}
 */
export function trackFigure(info, parts, options, yaxis) {
	const bands = bandsOf(parts);
	const edges = new Set(bands.flatMap(({ low, high }) => [low, high]));
	const singles = parts.filter((part) => !edges.has(part));
	singles.sort(
		(a, b) => Number(!a.player.track.stat) - Number(!b.player.track.stat),
	);
	const data = [
		...bands.map((ends) => filled(ends, options)),
		...singles.flatMap((part) => earlier(part)),
		...singles.flatMap((part) => lines(info, part, options)),
		...singles.flatMap((part) => alertPoints(part, options)),
	];
	const legend = options.wide && singles.length + bands.length <= LEGEND;
	const alone = singles.length + bands.length === 1;
	const curves = parts.map(({ curve }) => curve);
	const y = Float64Array.from(curves.flatMap((curve) => [...curve.y]));
	const remarks = curves.map((curve) => (options.log ? hidden(curve) : ""));
	return {
		data,
		layout: layout({ ...curves[0], y }, options, yaxis, legend && !alone),
		remark: remarks.find(Boolean) ?? "",
	};
}

/**
 * The lowest and the highest of a run's ranks, where both are there.
 * @param {Part[]} parts
 */
function bandsOf(parts) {
	return parts.flatMap((low) => {
		if (low.player.track.stat !== "min") return [];
		const high = parts.find(
			({ player: { track } }) =>
				track.stat === "max" && track.run === low.player.track.run,
		);
		return high ? [{ low, high }] : [];
	});
}

/**
 * @param {{low: Part, high: Part}} ends
 * @param {Options} options
 */
function filled({ low, high }, { log, wide }) {
	const { look, label, track } = low.player;
	return {
		...band(low.curve, high.curve, `${look.color}33`, log),
		name: escapeMarkup(bandLabel(label)),
		legendgroup: `${track.id} band`,
		showlegend: wide,
	};
}

/**
 * What was trained again stays behind, thin and faint.
 * @param {Part} part
 */
function earlier({ player, earlier }) {
	if (!earlier) return [];
	const { look, label, track } = player;
	return [
		{
			type: "scatter",
			mode: "lines",
			name: `${escapeMarkup(label)} · earlier attempt`,
			x: earlier.x,
			y: earlier.y,
			opacity: 0.45,
			line: { color: look.color, width: 1, dash: look.dash },
			legendgroup: track.id,
			showlegend: false,
			hovertemplate: HOVER,
		},
	];
}

const LABEL = "<extra>%{fullData.name}</extra>";
const HOVER = `%{y:.6~g}${LABEL}`;

/**
 * @param {MetricInfo} info
 * @param {Part} part
 * @param {Options} options
 */
function lines(info, { player, curve }, options) {
	const { track, label, look } = player;
	const { color, dash } = look;
	const width = track.stat === "mean" ? 1 : 1.5;
	const theme = {
		...options.theme,
		line: color,
		raw: `${color}66`,
		error: color,
	};
	const all = traces(info, curve, { ...options, theme, wide: false });
	const main = curve.smooth ? 1 : 0;
	return all.map((trace, i) => ({
		...trace,
		...("line" in trace
			? { line: { ...trace.line, ...(i === main ? { width, dash } : {}) } }
			: {}),
		name: escapeMarkup(label),
		legendgroup: track.id,
		showlegend: i === main,
		hovertemplate: trace.hovertemplate.replace("<extra></extra>", LABEL),
	}));
}
