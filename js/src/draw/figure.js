import { bandLabel } from "../data/tracks.js";
import { alertPoints } from "./alert_points.js";
import { band } from "./bands.js";
import { drawing } from "./drawing.js";
import { escapeMarkup } from "./layout.js";
import { nonfiniteTrace } from "./nonfinite.js";
import { EDGE, envelopeTrace, FILL, traces } from "./traces.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { TrackCurve } from "../curve/curves.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Options } from "./layout.js" */

/** A legend of more would hide the curves; the list of tracks has all. */
const LEGEND = 5;

/**
 * One metric of one or several tracks: bands at the back, single ranks on top.
 * @param {MetricInfo} info
 * @param {TrackCurve[]} trackCurves at least one
 * @param {Options} options
 * @param {object} yaxis
 */
export function figure(info, trackCurves, options, yaxis) {
	const bands = bandsOf(trackCurves);
	const edges = new Set(bands.flatMap(({ low, high }) => [low, high]));
	const singles = trackCurves.filter((trackCurve) => !edges.has(trackCurve));
	singles.sort(
		(a, b) =>
			Number(!a.drawnTrack.track.stat) - Number(!b.drawnTrack.track.stat),
	);
	const data = [
		...bands.map((ends) => filled(ends, options)),
		...bands.flatMap(({ low, high }) =>
			[low, high].flatMap((end) => odd(end.curve, end, options)),
		),
		...singles.flatMap((trackCurve) => earlier(trackCurve, options)),
		...singles.flatMap((trackCurve) => curveTraces(info, trackCurve, options)),
		...singles.flatMap((trackCurve) => alertPoints(trackCurve, options)),
		...singles.flatMap((trackCurve) => nameOfOdd(trackCurve, options)),
	];
	const listed = singles.filter(({ drawnTrack }) => !drawnTrack.track.odd);
	const few = listed.length + bands.length <= LEGEND;
	// One curve alone is named by the panel's title.
	const named = data.filter(({ showlegend }) => showlegend).length > 1;
	const curves = trackCurves.flatMap(curvesOf);
	const legend = options.wide && !options.strip && few && named;
	return drawing(data, curves, options, yaxis, legend);
}

/**
 * @param {TrackCurve} trackCurve
 */
export const curvesOf = ({ curve, earlier }) =>
	earlier ? [curve, earlier] : [curve];

/**
 * What is not finite of a curve that has no line of its own.
 * @param {Curve} curve
 * @param {TrackCurve} trackCurve
 * @param {Options} options
 */
const odd = ({ nonfinite }, { drawnTrack: { look, label, track } }, options) =>
	nonfinite.map((kind) => ({
		...nonfiniteTrace(kind, options, { color: look.color, label }),
		...{ legendgroup: track.id, showlegend: false },
	}));

/**
 * The lowest and the highest of a run's ranks, where both are there.
 * @param {TrackCurve[]} trackCurves
 */
function bandsOf(trackCurves) {
	return trackCurves.flatMap((low) => {
		if (low.drawnTrack.track.stat !== "min") return [];
		const high = trackCurves.find(
			({ metric, drawnTrack: { track } }) =>
				track.stat === "max" &&
				track.run === low.drawnTrack.track.run &&
				metric === low.metric,
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
 * @param {Options} options
 */
function earlier(trackCurve, options) {
	const { drawnTrack, earlier } = trackCurve;
	if (!earlier) return [];
	const { look, label, track } = drawnTrack;
	const name = [escapeMarkup(label), "earlier attempt"];
	const area = envelopeTrace(earlier, options, [EDGE, FILL], look.color);
	const faint = { opacity: 0.45, legendgroup: track.id };
	return [
		...area.map((trace) => ({ ...trace, ...faint })),
		...odd(earlier, trackCurve, options),
		{
			type: "scatter",
			mode: "lines",
			name: name.filter(Boolean).join(" · "),
			x: earlier.x,
			y: earlier.y,
			...faint,
			line: { color: look.color, width: 1, dash: look.dash },
			showlegend: options.wide && !label,
			hovertemplate: "%{y:.6~g}<extra>%{fullData.name}</extra>",
		},
	];
}

/**
 * A rank that needs a look is named where its curve ends.
 * @param {TrackCurve} trackCurve
 * @param {Options} options
 */
function nameOfOdd({ drawnTrack, curve: { x, y } }, { wide, strip }) {
	const { look, track } = drawnTrack;
	const at = y.findLastIndex(Number.isFinite);
	if (!track.odd || !wide || strip || at < 0) return [];
	return [
		{
			...{ type: "scatter", mode: "text", x: [x[at]], y: [y[at]] },
			text: [`rank ${track.rank}`],
			textposition: "top left",
			textfont: { color: look.color, size: 11 },
			...{ hoverinfo: "skip", showlegend: false, legendgroup: track.id },
		},
	];
}

/**
 * @param {MetricInfo} info
 * @param {TrackCurve} trackCurve
 * @param {Options} options
 */
function curveTraces(info, { drawnTrack, curve }, options) {
	if (!curve.x.length) return [];
	const { track, label, look } = drawnTrack;
	const own = traces(info, curve, options, {
		...{ ...look, label, group: track.id },
	});
	// A rank that needs a look is named on its curve.
	return track.odd
		? own.map((trace) => ({ ...trace, showlegend: false }))
		: own;
}
