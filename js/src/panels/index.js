import { shownNames, visible } from "../base/names.js";
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
 * What stands together on the page. The lead has no title; the others are folded at
 * first, under the curve of their first metric.
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

const TITLE_LENGTH = 36;

/**
 * Which panel draws which metric, in the order of the page: the loss and under it the
 * learning rate lead; what has neither begins with its first chart.
 * @param {MetricInfo[]} metrics
 * @param {Choice} choice
 * @returns {SectionPlan[]}
 */
export function arrange(metrics, choice) {
	const groups = PANELS.flatMap((panel) => groupsOf(panel, metrics));
	const sections = titled(
		groups.map((group) => ({
			...{ id: group.id, title: group.title, folded: !group.panel.open },
			...{ control: group.panel.control, metrics: group.metrics },
			charts: plans(group, choice).map((plan) => ({
				...{ panel: group.panel, plan },
			})),
		})),
	);
	const lead = sections.filter(({ charts }) => charts[0].panel.leads);
	const rest = sections.filter((section) => !lead.includes(section));
	rest.sort((a, b) => Number(a.folded) - Number(b.folded));
	if (!lead.length) {
		return rest.map((section, i) => ({
			...section,
			folded: i > 0 && section.folded,
		}));
	}
	const charts = lead.flatMap((section) => section.charts);
	const shown = lead.flatMap((section) => section.metrics);
	return [
		{ id: "", title: "", folded: false, charts, metrics: shown },
		...rest,
	];
}

/** @typedef {{id: string, title: string, panel: Panel, metrics: MetricInfo[]}} Group */

/**
 * The metrics of a panel; those without one of their own by the first part of their
 * name, as `train` of `train/…`, or as the user has put them together.
 * @param {Panel} panel
 * @param {MetricInfo[]} metrics
 * @returns {Group[]}
 */
function groupsOf(panel, metrics) {
	const { id, title } = panel;
	if (panel !== other) {
		const own = metrics.filter((info) => info.panel === id);
		return own.length ? [{ id, title, panel, metrics: own }] : [];
	}
	const known = PANELS.filter((each) => each !== other);
	const left = metrics.filter((info) =>
		known.every(({ id }) => id !== info.panel),
	);
	/** @type {Map<string, Group>} */
	const groups = new Map();
	for (const info of left) {
		const isTheirs = info.panel !== id;
		const [prefix, ...rest] = info.name.split("/");
		const name = isTheirs ? info.panel : rest.length ? prefix : "";
		const key = `${isTheirs ? "own" : id} ${name}`.trim();
		const group = groups.get(key) ?? {
			...{ id: key, title: visible(name || title), metrics: [] },
			panel: isTheirs ? together(panel) : panel,
		};
		group.metrics.push(info);
		groups.set(key, group);
	}
	return [...groups.values()];
}

/**
 * A panel of the user's own: its metrics share one chart, which is not folded.
 * @param {Panel} panel
 * @returns {Panel}
 */
const together = (panel) => ({
	...panel,
	shares: true,
	wide: true,
	open: true,
});

/**
 * @param {Group} group
 * @param {Choice} choice
 * @returns {Plan[]}
 */
function plans({ panel, metrics, title }, choice) {
	if (panel.plans) return panel.plans(metrics, choice);
	if (!panel.shares) return metrics.map(planOf);
	const [first] = metrics;
	const label = panel.leads ? planOf(first).label : title;
	return [{ ...planOf(first), label, metrics }];
}

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
