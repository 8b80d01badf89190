import { shownNames } from "../base/names.js";
import device from "./device.js";
import difference from "./difference.js";
import distributions from "./distributions.js";
import evaluation from "./evaluation.js";
import gradNorm from "./grad_norm.js";
import layers from "./layers.js";
import loss from "./loss.js";
import lr from "./lr.js";
import other from "./other.js";
import parts from "./parts.js";
import { planOf } from "./plan.js";
import throughput from "./throughput.js";

/** @import { Choice } from "../data/choice.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Control, Panel, Plan } from "./plan.js" */

/**
 * What stands together on the page. The main section has no title.
 * @typedef {{panel: Panel, plan: Plan}} Placed
 * @typedef {{
 *   id: string, title: string, folded: boolean, charts: Placed[],
 *   control?: Control, metrics: MetricInfo[],
 * }} SectionPlan
 */

/** @type {Panel[]} in the order of the page */
export const PANELS = [
	loss,
	parts,
	lr,
	evaluation,
	throughput,
	gradNorm,
	difference,
	layers,
	distributions,
	other,
	device,
];

/** More charts of a kind than these get a section of their own, folded at first. */
const MANY = 12;
const TITLE_LENGTH = 36;

/**
 * Which panel draws which metric, in the order of the page.
 * @param {MetricInfo[]} metrics
 * @param {Choice} choice
 * @returns {SectionPlan[]}
 */
export function arrange(metrics, choice) {
	const groups = PANELS.map((panel) => section(panel, [], []));
	for (const info of metrics) {
		const at = PANELS.findIndex(({ id }) => id === info.panel);
		groups[at < 0 ? PANELS.indexOf(other) : at].metrics.push(info);
	}
	const full = titled(
		PANELS.flatMap((panel, i) => {
			const { metrics } = groups[i];
			if (!metrics.length) return [];
			const plans = panel.plans?.(metrics, choice) ?? metrics.map(planOf);
			return [section(panel, plans, metrics)];
		}),
	);
	const main = full.filter((group) => !isApart(group));
	const charts = main.flatMap((group) => group.charts);
	const first = { id: "", title: "", folded: false, charts, metrics: [] };
	return [...(charts.length ? [first] : []), ...full.filter(isApart)];
}

/**
 * @param {Panel} panel
 * @param {Plan[]} plans
 * @param {MetricInfo[]} metrics
 * @returns {SectionPlan}
 */
const section = (panel, plans, metrics) => ({
	id: panel.id,
	title: panel.title,
	folded: plans.length > MANY,
	charts: plans.map((plan) => ({ panel, plan })),
	control: panel.control,
	metrics,
});

/**
 * The sections with labels that fit into a title and can be told apart.
 * @param {SectionPlan[]} sections
 */
function titled(sections) {
	const plans = sections.flatMap(({ charts }) =>
		charts.map(({ plan }) => plan),
	);
	const labels = plans.map(({ label }) => label);
	const shown = shownNames(labels, TITLE_LENGTH);
	return sections.map((section) => ({
		...section,
		charts: section.charts.map(({ panel, plan }) => ({
			panel,
			plan: { ...plan, label: shown(plan.label) },
		})),
	}));
}

/** @param {SectionPlan} section */
const isApart = ({ folded, charts }) => folded || charts[0].panel.apart;
