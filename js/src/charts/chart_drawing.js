import { trackCurve } from "../curve/curves.js";
import { curvesOf, figure } from "../draw/figure.js";
import { chartLines } from "./chart_lines.js";
import { roomy } from "./page_model.js";
import { sightOf } from "./wanted.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Drawing } from "../draw/drawing.js" */
/** @import { Options } from "../draw/layout.js" */
/** @import { Plan } from "../panels/plan.js" */

/**
 * A chart's drawing and the curves in it. `remark` says what is left out.
 * @typedef {{drawing: Drawing, curves: Curve[], remark: string}} ChartDrawing
 *
 * @typedef {{
 *   plan: Plan, range: [number, number] | null, options: Options, yaxis: object,
 * }} Request `range` is what the reader has chosen
 */

/**
 * What a chart shows.
 * @param {Request} request
 * @param {DrawnTracks} drawnTracks
 * @param {Pick<Store, "cache" | "summaries">} store
 * @returns {ChartDrawing}
 */
export function chartDrawing(
	{ plan, range, options: all, yaxis },
	drawnTracks,
	store,
) {
	const names = new Set(plan.metrics.map(({ name }) => name));
	const options = {
		...all,
		references: all.references.filter(({ metric }) => names.has(metric)),
	};
	const { drawn, remark } = chartLines(plan, drawnTracks, store);
	const sight = sightOf({ range, weight: options.weight }, options.width);
	const trackCurves = drawn.map(({ info, drawnTrack }) =>
		trackCurve(store.cache, info.name, drawnTrack, sight, drawn.length),
	);
	const curves = trackCurves.flatMap(curvesOf);
	const shown = range
		? options
		: { ...options, range: around(options, curves) };
	if (!plan.draw) {
		const drawing = figure(plan.metrics[0], trackCurves, shown, yaxis);
		return { drawing, curves, remark };
	}
	const metrics = drawn.map(({ info }) => info);
	const own = trackCurves.map(({ curve }) => curve);
	const axis = drawn[0]?.drawnTrack.axis ?? options.axis;
	return {
		drawing: plan.draw(metrics, own, { ...shown, axis }, yaxis),
		curves,
		remark,
	};
}

/**
 * A range with all of the curves: what has come of them may be newer than of others.
 * @param {Options} options
 * @param {Curve[]} curves
 * @returns {[number, number]}
 */
function around({ range: [from, to] }, curves) {
	const places = curves.flatMap(({ x, right }) => [x, right]);
	const newest = places.reduce(
		(most, of) => Math.max(most, of.findLast(Number.isFinite) ?? most),
		-Infinity,
	);
	return newest > to ? [from, roomy([from, newest])[1]] : [from, to];
}
