import { metricLines } from "../draw/metric_lines.js";
import { largestMetrics } from "./largest.js";

/** @type {import("./plan.js").Panel} gradient norms of the layers, a line each */
export default {
	id: "layers",
	title: "layers",
	wide: true,
	yaxis: { rangemode: "tozero" },
	plans: (metrics) => [
		{
			key: "grad_norm/*",
			label: "gradient norm of each layer",
			unit: metrics[0].unit,
			better: metrics[0].better,
			metrics,
			pick: largestMetrics,
			draw: metricLines,
		},
	],
};
