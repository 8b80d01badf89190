import { bands } from "../bands.js";
import { parameter } from "../controls/parameter.js";
import { KINDS, parameters, parse, QUANTILES } from "../parameters.js";
import { single } from "./plan.js";

/** @import { MetricInfo } from "../protocol" */
/** @import { Plan } from "./plan.js" */

/** @type {import("./index.js").Panel} weights and gradients of one parameter */
export default {
	id: "distributions",
	title: "weights and gradients",
	apart: true,
	wide: false,
	yaxis: { exponentformat: "e" },
	control: parameter,
	/** One chart a kind, of the chosen parameter; what is of no parameter stays. */
	plans(metrics, choice) {
		const known = parameters(metrics);
		const chosen = known.includes(choice.parameter)
			? choice.parameter
			: known[0];
		const charts = [...KINDS].flatMap(([kind, label]) =>
			plan(kind, label, chosen, metrics),
		);
		const rest = metrics.filter(({ name }) => !parse(name));
		return [...charts, ...rest.map(single)];
	},
};

/**
 * @param {string} kind
 * @param {string} label
 * @param {string} parameter
 * @param {MetricInfo[]} metrics
 * @returns {Plan[]}
 */
function plan(kind, label, parameter, metrics) {
	const own = metrics.filter(({ name }) => {
		const place = parse(name);
		return place?.kind === kind && place.parameter === parameter;
	});
	if (!own.length) return [];
	own.sort((a, b) => rank(a) - rank(b));
	const draw = kind.endsWith("_q") ? bands : undefined;
	return [{ ...single(own[0]), key: kind, label, metrics: own, draw }];
}

/** @param {MetricInfo} info */
const rank = ({ name }) => QUANTILES.indexOf(parse(name)?.quantile ?? "");
