/** @import { Curve } from "../curve/curve.js" */
/** @import { Choice, Choose } from "../data/choice.js" */
/** @import { Drawing } from "../draw/drawing.js" */
/** @import { Options } from "../draw/layout.js" */
/** @import { MetricInfo } from "../protocol" */

/** @typedef {Map<string, number[]>} Summed ten numbers of each metric (see `Summaries`) */

/**
 * One chart: its name on the page, the metrics in it, and how they are drawn. `pick`
 * chooses some of many; without it all are drawn.
 * @typedef {{
 *   key: string, label: string, unit: string, better: MetricInfo["better"],
 *   metrics: MetricInfo[],
 *   pick?: (metrics: MetricInfo[], summed: Summed) => MetricInfo[],
 *   draw?: (metrics: MetricInfo[], curves: Curve[], options: Options, yaxis: object) => Drawing,
 * }} Plan
 *
 * A control of one section.
 * @typedef {(choice: Choice, choose: Choose) => {
 *   root: HTMLElement, update(metrics: MetricInfo[]): void,
 * }} Control
 *
 * A kind of panel: draws the metrics whose `panel` is its id, one chart each unless
 * they share one or it has `plans` of its own. One that `leads` stands first on the page,
 * as a `strip` of little height under the one before; the others have sections of their
 * own, `open` or folded at first, in which their `control` stands.
 * @typedef {{
 *   id: string, title: string, wide: boolean, yaxis: object, leads?: boolean,
 *   strip?: boolean, open?: boolean, shares?: boolean,
 *   plans?: (metrics: MetricInfo[], choice: Choice) => Plan[], control?: Control,
 * }} Panel
 */

/**
 * The chart of one metric.
 * @param {MetricInfo} info
 * @returns {Plan}
 */
export const planOf = (info) => ({
	key: info.name,
	label: info.label || info.name,
	unit: info.unit,
	better: info.better,
	metrics: [info],
});
