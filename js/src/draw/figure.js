import { bandLabel } from "../data/tracks.js";
import { alertPoints } from "./alert_points.js";
import { band } from "./bands.js";
import { drawing } from "./drawing.js";
import { escapeMarkup } from "./layout.js";
import { traces } from "./traces.js";

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
		...singles.flatMap((trackCurve) => earlier(trackCurve, options)),
		...singles.flatMap((trackCurve) => curveTraces(info, trackCurve, options)),
		...singles.flatMap((trackCurve) => alertPoints(trackCurve, options)),
	];
	const few = singles.length + bands.length <= LEGEND;
	// One curve alone is named by the panel's title.
	const named = data.filter(({ showlegend }) => showlegend).length > 1;
	const curves = trackCurves.flatMap(({ curve, earlier }) =>
		earlier ? [curve, earlier] : [curve],
	);
	return drawing(data, curves, options, yaxis, options.wide && few && named);
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
 * @param {Options} options
 */
function earlier({ drawnTrack, earlier }, { wide }) {
	if (!earlier) return [];
	const { look, label, track } = drawnTrack;
	const name = [escapeMarkup(label), "earlier attempt"];
	return [
		{
			type: "scatter",
			mode: "lines",
			name: name.filter(Boolean).join(" · "),
			x: earlier.x,
			y: earlier.y,
			opacity: 0.45,
			line: { color: look.color, width: 1, dash: look.dash },
			legendgroup: track.id,
			showlegend: wide && !label,
			hovertemplate: "%{y:.6~g}<extra>%{fullData.name}</extra>",
		},
	];
}

/**
 * @param {MetricInfo} info
 * @param {TrackCurve} trackCurve
 * @param {Options} options
 */
function curveTraces(info, { drawnTrack, curve }, options) {
	const { track, label, look } = drawnTrack;
	return traces(info, curve, options, { ...look, label, group: track.id });
}
