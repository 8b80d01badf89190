import device from "./device.js";
import distributions from "./distributions.js";
import evaluation from "./evaluation.js";
import gradNorm from "./grad_norm.js";
import layers from "./layers.js";
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
	layers,
	distributions,
	device,
];

/**
 * Which panel draws which metric, in the order of the page.
 * @param {MetricInfo[]} metrics
 * @param {Set<string>} names of the metrics that have values
 */
export function arrange(metrics, names) {
	const listed = new Set(metrics.map(({ name }) => name));
	const others = [...names].filter((name) => !listed.has(name)).map(unlisted);
	const shown = metrics.filter(({ name }) => names.has(name));
	return PANELS.flatMap((panel) =>
		[...shown, ...others]
			.filter((info) => (home(info) ?? other) === panel)
			.map((info) => ({ panel, info })),
	);
}

/**
 * @param {string} name of a metric whose description has not come yet
 * @returns {MetricInfo}
 */
const unlisted = (name) => ({
	name,
	label: name,
	unit: "",
	better: "",
	panel: other.id,
});

/** @param {MetricInfo} info */
const home = (info) => PANELS.find(({ id }) => id === info.panel);
