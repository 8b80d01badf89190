import { parseParameter, QUANTILES, STATISTICS } from "../data/parameters.js";
import { bands } from "../draw/bands.js";
import { parameter } from "./parameter.js";
import { planOf } from "./plan.js";

/** @import { ParameterMetric } from "../data/parameters.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Plan } from "./plan.js" */

/** @typedef {{info: MetricInfo, parsed: ParameterMetric | null}} Known */

/** @type {import("./plan.js").Panel} weights and gradients of one parameter */
export default {
	id: "distributions",
	title: "weights and gradients",
	wide: false,
	yaxis: { exponentformat: "e" },
	control: parameter,
	/** One chart a kind, of the chosen parameter; what is of no parameter stays. */
	plans(metrics, choice) {
		const known = metrics.map((info) => ({
			info,
			parsed: parseParameter(info.name),
		}));
		/** @param {string | undefined} parameter */
		const of = (parameter) =>
			known.filter(({ parsed }) => parsed?.parameter === parameter);
		const chosen = of(choice.parameter);
		const first = known.find(({ parsed }) => parsed)?.parsed?.parameter;
		const shown = chosen.length ? chosen : of(first);
		const charts = [...STATISTICS].flatMap(([kind, label]) =>
			plan(kind, label, shown),
		);
		const rest = known.filter(({ parsed }) => !parsed);
		return [...charts, ...rest.map(({ info }) => planOf(info))];
	},
};

/**
 * @param {string} kind
 * @param {string} label
 * @param {Known[]} shown what is known of one parameter
 * @returns {Plan[]}
 */
function plan(kind, label, shown) {
	const own = shown
		.filter(({ parsed }) => parsed?.kind === kind)
		.sort((a, b) => rank(a) - rank(b))
		.map(({ info }) => info);
	if (!own.length) return [];
	const draw = kind.endsWith("_q") ? bands : undefined;
	return [{ ...planOf(own[0]), key: kind, label, metrics: own, draw }];
}

/** @param {Known} known */
const rank = ({ parsed }) => QUANTILES.indexOf(parsed?.quantile ?? "");
