import evaluation from "./evaluation.js";
import gradNorm from "./grad_norm.js";
import loss from "./loss.js";
import lr from "./lr.js";
import other from "./other.js";
import parts from "./parts.js";
import throughput from "./throughput.js";

/** @import { MetricInfo } from "../protocol" */

/**
 * A kind of panel: one is drawn for each metric whose `panel` is its id.
 * @typedef {{id: string, wide: boolean, yaxis: object}} Panel
 */

/** @type {Panel[]} in the order of the page */
export const PANELS = [
	loss,
	parts,
	lr,
	gradNorm,
	throughput,
	evaluation,
	other,
];

/**
 * Which panel draws which metric, in the order of the page.
 * @param {MetricInfo[]} metrics
 */
export function arrange(metrics) {
	return PANELS.flatMap((panel) =>
		metrics
			.filter((info) => (home(info) ?? other) === panel)
			.map((info) => ({ panel, info })),
	);
}

/** @param {MetricInfo} info */
const home = (info) => PANELS.find(({ id }) => id === info.panel);
