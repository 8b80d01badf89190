/** @import { Curve } from "../curve.js" */
/** @import { Options } from "../figure.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Segment } from "../segment.js" */

/**
 * A Plotly figure, and what it leaves unsaid.
 * @typedef {{data: object[], layout: object, remark: string}} Drawing
 *
 * One chart: its name on the page, the metrics in it, and how they are drawn. `pick`
 * chooses some of many; without it all are drawn.
 * @typedef {{
 *   key: string, label: string, unit: string, better: MetricInfo["better"],
 *   metrics: MetricInfo[],
 *   pick?: (metrics: MetricInfo[], segments: Segment[]) => MetricInfo[],
 *   draw?: (metrics: MetricInfo[], curves: Curve[], options: Options, yaxis: object) => Drawing,
 * }} Plan
 */

/**
 * The chart of one metric.
 * @param {MetricInfo} info
 * @returns {Plan}
 */
export const single = (info) => ({
	key: info.name,
	label: info.label || info.name,
	unit: info.unit,
	better: info.better,
	metrics: [info],
});
