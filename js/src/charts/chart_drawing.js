import { curveOf, curvesOf } from "../curve/curves.js";
import { column } from "../data/tracks.js";
import { figure } from "../draw/figure.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { Sight } from "../curve/curves.js" */
/** @import { DrawnTrack, DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Segment } from "../data/segment.js" */
/** @import { Drawing } from "../draw/drawing.js" */
/** @import { Options } from "../draw/layout.js" */
/** @import { Plan } from "../panels/plan.js" */

/**
 * A chart's drawing and the curves in it. `remark` says what is left out.
 * @typedef {{drawing: Drawing, curves: Curve[], remark: string}} ChartDrawing
 *
 * @typedef {{
 *   plan: Plan, segments: Segment[], range: [number, number] | null,
 *   options: Options, yaxis: object,
 * }} Request `range` is what the reader has chosen
 */

/**
 * What a chart shows; of several tracks the one that is looked at, where the chart
 * has many metrics.
 * @param {Request} request
 * @param {DrawnTracks} drawnTracks
 */
export function chartDrawing(request, drawnTracks) {
	const { weight, width } = request.options;
	const sight = { range: request.range, weight, width };
	const { draw } = request.plan;
	return draw
		? ofMain(request, drawnTracks, sight, draw)
		: ofTracks(request, drawnTracks, sight);
}

/**
 * @param {Request} request
 * @param {DrawnTracks} drawnTracks
 * @param {Sight} sight
 * @param {NonNullable<Plan["draw"]>} draw
 * @returns {ChartDrawing}
 */
function ofMain({ plan, segments, options, yaxis }, drawnTracks, sight, draw) {
	const { tracks, main } = drawnTracks;
	/** @param {DrawnTrack} drawnTrack */
	const has = ({ metrics }) =>
		plan.metrics.some(({ name }) => metrics.has(name));
	const drawnTrack = has(main) ? main : tracks.find(has);
	if (!drawnTrack) return NOTHING;
	const { track, axis, metrics } = drawnTrack;
	const all = plan.metrics.filter(({ name }) => metrics.has(name));
	/** @param {string} name */
	const seriesOf = (name) =>
		segments.flatMap((s) => s.series.get(column(track.id, name)) ?? []);
	const picked = plan.pick?.(all, seriesOf) ?? all;
	const curves = picked.map(({ name }) => {
		const { curve, replaced } = curveOf(segments, name, drawnTrack, sight);
		return { ...curve, replaced };
	});
	const some =
		picked.length < all.length && `${picked.length} of ${all.length}`;
	const remarks = [tracks.length > 1 && track.label, some];
	return {
		drawing: draw(picked, curves, { ...options, axis }, yaxis),
		curves,
		remark: remarks.filter(Boolean).join(" · "),
	};
}

/**
 * @param {Request} request
 * @param {DrawnTracks} drawnTracks
 * @param {Sight} sight
 * @returns {ChartDrawing}
 */
function ofTracks({ plan, segments, options, yaxis }, { tracks }, sight) {
	const [info] = plan.metrics;
	const trackCurves = curvesOf(segments, info.name, tracks, sight);
	if (!trackCurves.length) return NOTHING;
	const having = tracks.filter(({ metrics }) => metrics.has(info.name)).length;
	const left = having > trackCurves.length;
	return {
		drawing: figure(info, trackCurves, options, yaxis),
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
