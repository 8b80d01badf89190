import { curve } from "../curve/curve.js";
import { curvesOf } from "../curve/track_curves.js";
import { column } from "../data/tracks.js";
import { single } from "../draw/figure.js";
import { trackFigure } from "../draw/track_figure.js";

/** @import { Cast } from "../curve/cast.js" */
/** @import { Curve } from "../curve/curve.js" */
/** @import { Segment } from "../data/segment.js" */
/** @import { Drawing } from "../draw/figure.js" */
/** @import { Options } from "../draw/layout.js" */
/** @import { Plan } from "../panels/plan.js" */
/** @import { MetricInfo } from "../protocol" */

/**
 * A chart's drawing and the curves in it. `remark` says what is left out.
 * @typedef {{drawing: Drawing, curves: Curve[], remark: string}} Drawn
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
 * @param {Cast | null} cast
 * @returns {Drawn}
 */
export function drawn(request, cast) {
	const { plan } = request;
	if (!cast) return ofRun(request, plan.metrics);
	return plan.draw ? ofMain(request, cast) : ofTracks(request, cast);
}

/**
 * @param {Request} request
 * @param {MetricInfo[]} all metrics, named as their columns
 * @param {(name: string) => string} [metric] of a column
 * @returns {Drawn}
 */
function ofRun(request, all, metric = (name) => name) {
	const { plan, segments, range, options, yaxis, begins } = request;
	const { axis, weight, width } = options;
	const picked = plan.pick?.(all, segments) ?? all;
	const curves = picked.map(({ name }) =>
		curve(segments, name, axis, range, weight, width, begins),
	);
	const named = picked.map((info) => ({ ...info, name: metric(info.name) }));
	const drawing = (plan.draw ?? single)(named, curves, options, yaxis);
	const some = `${picked.length} of ${all.length}`;
	return { drawing, curves, remark: picked.length < all.length ? some : "" };
}

/**
 * @param {Request} request
 * @param {Cast} cast
 * @returns {Drawn}
 */
function ofMain(request, { players, main }) {
	const { metrics } = request.plan;
	/** @param {import("../curve/cast.js").Player} player */
	const has = (player) => metrics.some(({ name }) => player.metrics.has(name));
	const player = has(main) ? main : players.find(has);
	if (!player) return NOTHING;
	const { id, label } = player.track;
	const columns = metrics
		.filter(({ name }) => player.metrics.has(name))
		.map((info) => ({ ...info, name: column(id, info.name) }));
	const options = { ...request.options, axis: player.axis };
	const { begins } = player;
	const found = ofRun({ ...request, options, begins }, columns, (name) =>
		name.slice(column(id, "").length),
	);
	const remark = players.length > 1 ? label : "";
	return {
		...found,
		remark: [remark, found.remark].filter(Boolean).join(" · "),
	};
}

/**
 * @param {Request} request
 * @param {Cast} cast
 * @returns {Drawn}
 */
function ofTracks({ plan, segments, range, options, yaxis }, { players }) {
	const [info] = plan.metrics;
	const { weight, width } = options;
	const view = { range, weight, width };
	const parts = curvesOf(segments, info.name, players, view);
	if (!parts.length) return NOTHING;
	const having = players.filter(({ metrics }) => metrics.has(info.name)).length;
	const left = having > parts.length;
	return {
		drawing: trackFigure(info, parts, options, yaxis),
		curves: parts.flatMap(({ curve, earlier }) =>
			earlier ? [curve, earlier] : [curve],
		),
		remark: left ? `${parts.length} of ${having} tracks` : "",
	};
}

/** @type {Drawn} until the chart goes with its metric */
const NOTHING = {
	drawing: { data: [], layout: {}, remark: "" },
	curves: [],
	remark: "",
};
