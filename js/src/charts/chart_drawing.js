import { curve } from "../curve/curve.js";
import { curvesOf } from "../curve/track_curves.js";
import { column } from "../data/tracks.js";
import { singleDrawing } from "../draw/figure.js";
import { trackFigure } from "../draw/track_figure.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { DrawnTrack, DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Segment } from "../data/segment.js" */
/** @import { Drawing } from "../draw/figure.js" */
/** @import { Options } from "../draw/layout.js" */
/** @import { Plan } from "../panels/plan.js" */
/** @import { MetricInfo } from "../protocol" */

/**
 * A chart's drawing and the curves in it. `remark` says what is left out.
 * @typedef {{drawing: Drawing, curves: Curve[], remark: string}} ChartDrawing
 *
 * @typedef {{
 *   plan: Plan, segments: Segment[], range: [number, number] | null,
 *   options: Options, yaxis: object, begins?: number[],
 * }} Request `range` is what the reader has chosen, `begins` are the last steps before
 * later attempts of the only track
 */

/**
 * What a chart shows; of several tracks the one that is looked at, where the chart
 * has many metrics.
 * @param {Request} request
 * @param {DrawnTracks | null} drawnTracks
 * @returns {ChartDrawing}
 */
export function chartDrawing(request, drawnTracks) {
	const { plan } = request;
	if (!drawnTracks) return ofRun(request, plan.metrics);
	return plan.draw
		? ofMain(request, drawnTracks)
		: ofTracks(request, drawnTracks);
}

/**
 * @param {Request} request
 * @param {MetricInfo[]} all metrics, named as their columns
 * @param {(name: string) => string} [metric] of a column
 * @returns {ChartDrawing}
 */
function ofRun(request, all, metric = (name) => name) {
	const { plan, segments, range, options, yaxis, begins } = request;
	const { axis, weight, width } = options;
	const picked = plan.pick?.(all, segments) ?? all;
	const curves = picked.map(({ name }) =>
		curve(segments, name, axis, range, weight, width, begins),
	);
	const named = picked.map((info) => ({ ...info, name: metric(info.name) }));
	const drawing = (plan.draw ?? singleDrawing)(named, curves, options, yaxis);
	const some = `${picked.length} of ${all.length}`;
	return { drawing, curves, remark: picked.length < all.length ? some : "" };
}

/**
 * @param {Request} request
 * @param {DrawnTracks} drawnTracks
 * @returns {ChartDrawing}
 */
function ofMain(request, { tracks, main }) {
	const { metrics } = request.plan;
	/** @param {DrawnTrack} drawnTrack */
	const has = (drawnTrack) =>
		metrics.some(({ name }) => drawnTrack.metrics.has(name));
	const drawnTrack = has(main) ? main : tracks.find(has);
	if (!drawnTrack) return NOTHING;
	const { id, label } = drawnTrack.track;
	const columns = metrics
		.filter(({ name }) => drawnTrack.metrics.has(name))
		.map((info) => ({ ...info, name: column(id, info.name) }));
	const options = { ...request.options, axis: drawnTrack.axis };
	const { begins } = drawnTrack;
	const shown = ofRun({ ...request, options, begins }, columns, (name) =>
		name.slice(column(id, "").length),
	);
	const remark = tracks.length > 1 ? label : "";
	return {
		...shown,
		remark: [remark, shown.remark].filter(Boolean).join(" · "),
	};
}

/**
 * @param {Request} request
 * @param {DrawnTracks} drawnTracks
 * @returns {ChartDrawing}
 */
function ofTracks({ plan, segments, range, options, yaxis }, { tracks }) {
	const [info] = plan.metrics;
	const { weight, width } = options;
	const view = { range, weight, width };
	const trackCurves = curvesOf(segments, info.name, tracks, view);
	if (!trackCurves.length) return NOTHING;
	const having = tracks.filter(({ metrics }) => metrics.has(info.name)).length;
	const left = having > trackCurves.length;
	return {
		drawing: trackFigure(info, trackCurves, options, yaxis),
		curves: trackCurves.flatMap(({ curve, earlier }) =>
			earlier ? [curve, earlier] : [curve],
		),
		remark: left ? `${trackCurves.length} of ${having} tracks` : "",
	};
}

/** @type {ChartDrawing} until the chart goes with its metric */
const NOTHING = {
	drawing: { data: [], layout: {}, remark: "" },
	curves: [],
	remark: "",
};
