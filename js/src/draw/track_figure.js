import { bandLabel } from "../data/tracks.js";
import { alertPoints } from "./alert_points.js";
import { band } from "./bands.js";
import { hiddenByLog } from "./figure.js";
import { escapeMarkup, layout } from "./layout.js";
import { traces } from "./traces.js";

/** @import { TrackCurve } from "../curve/track_curves.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Drawing } from "./figure.js" */
/** @import { Options } from "./layout.js" */

/** A legend of more would hide the curves; the list of tracks has all. */
const LEGEND = 5;

/**
 * One metric of several tracks: bands at the back, single ranks on top.
 * @param {MetricInfo} info
 * @param {TrackCurve[]} trackCurves at least one
 * @param {Options} options
 * @param {object} yaxis
 * @returns {Drawing}
 */
export function trackFigure(info, trackCurves, options, yaxis) {
	const bands = bandsOf(trackCurves);
	const edges = new Set(bands.flatMap(({ low, high }) => [low, high]));
	const singles = trackCurves.filter((trackCurve) => !edges.has(trackCurve));
	singles.sort(
		(a, b) =>
			Number(!a.drawnTrack.track.stat) - Number(!b.drawnTrack.track.stat),
	);
	const data = [
		...bands.map((ends) => filled(ends, options)),
		...singles.flatMap((trackCurve) => earlier(trackCurve)),
		...singles.flatMap((trackCurve) => curveTraces(info, trackCurve, options)),
		...singles.flatMap((trackCurve) => alertPoints(trackCurve, options)),
	];
	const legend = options.wide && singles.length + bands.length <= LEGEND;
	const alone = singles.length + bands.length === 1;
	const curves = trackCurves.map(({ curve }) => curve);
	const y = Float64Array.from(curves.flatMap((curve) => [...curve.y]));
	const remarks = curves.map((curve) =>
		options.log ? hiddenByLog(curve) : "",
	);
	return {
		data,
		layout: layout({ ...curves[0], y }, options, yaxis, legend && !alone),
		remark: remarks.find(Boolean) ?? "",
	};
}

/**
 * The lowest and the highest of a run's ranks, where both are there.
 * @param {TrackCurve[]} trackCurves
 */
function bandsOf(trackCurves) {
	return trackCurves.flatMap((low) => {
		if (low.drawnTrack.track.stat !== "min") return [];
		const high = trackCurves.find(
			({ drawnTrack: { track } }) =>
				track.stat === "max" && track.run === low.drawnTrack.track.run,
		);
		return high ? [{ low, high }] : [];
	});
}

/**
 * @param {{low: TrackCurve, high: TrackCurve}} ends
 * @param {Options} options
 */
function filled({ low, high }, { log, wide }) {
	const { look, label, track } = low.drawnTrack;
	return {
		...band(low.curve, high.curve, `${look.color}33`, log),
		name: escapeMarkup(bandLabel(label)),
		legendgroup: `${track.id} band`,
		showlegend: wide,
	};
}

/**
 * What was trained again stays behind, thin and faint.
 * @param {TrackCurve} trackCurve
 */
function earlier({ drawnTrack, earlier }) {
	if (!earlier) return [];
	const { look, label, track } = drawnTrack;
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
 * @param {TrackCurve} trackCurve
 * @param {Options} options
 */
function curveTraces(info, { drawnTrack, curve }, options) {
	const { track, label, look } = drawnTrack;
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
