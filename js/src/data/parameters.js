/** @import { MetricInfo } from "../protocol" */

/** Quantiles as they are named in metrics, the lowest first. */
export const QUANTILES = [
	"min",
	"p1",
	"p5",
	"p25",
	"p50",
	"p75",
	"p95",
	"p99",
	"max",
];

/** What is known of a parameter, and what it is called. */
export const STATISTICS = new Map([
	["weight_q", "weights"],
	["grad_q", "gradients"],
	["update_ratio", "update ratio ‖Δw‖ / ‖w‖"],
	["weight_mean", "weights: mean"],
	["weight_std", "weights: standard deviation"],
	["weight_absmax", "weights: largest |w|"],
	["weight_zeros", "weights: share of zeros"],
	["grad_mean", "gradients: mean"],
	["grad_std", "gradients: standard deviation"],
	["grad_absmax", "gradients: largest |g|"],
	["grad_zeros", "gradients: share of zeros"],
]);

/** @typedef {{kind: string, parameter: string, quantile: string}} ParameterMetric */

/**
 * What a metric's name says of a parameter, whose own name may hold anything; null
 * when it is not one of these.
 * @param {string} name
 * @returns {ParameterMetric | null}
 */
export function parseParameter(name) {
	const slash = name.indexOf("/");
	const kind = name.slice(0, Math.max(slash, 0));
	if (!STATISTICS.has(kind)) return null;
	const rest = name.slice(slash + 1);
	if (!kind.endsWith("_q")) return { kind, parameter: rest, quantile: "" };
	const last = rest.lastIndexOf("/");
	const quantile = rest.slice(last + 1);
	if (last < 0 || !QUANTILES.includes(quantile)) return null;
	return { kind, parameter: rest.slice(0, last), quantile };
}

/**
 * The parameters of which something is known, in the order of the metrics.
 * @param {MetricInfo[]} metrics
 */
export const parameters = (metrics) => [
	...new Set(
		metrics.flatMap(({ name }) => parseParameter(name)?.parameter ?? []),
	),
];
