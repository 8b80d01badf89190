import { element, order } from "../base/dom.js";
import { Chart } from "./chart.js";
import { Section } from "./section.js";

/** @import { Choice, Choose } from "../data/choice.js" */
/** @import { Placed, SectionPlan } from "../panels/index.js" */

/** Panels are drawn a little before they are scrolled into view. */
const NEAR = { rootMargin: "300px" };

/** Of very many sections the first have a curve in their head. */
const MOST_SKETCHES = 40;

/** The charts in their sections; those of folded sections do not exist. */
export class Sections {
	/**
	 * @param {Choice} choice
	 * @param {Choose} choose also called, with nothing, when others become visible
	 * @param {(chart: Chart) => void} removed
	 */
	constructor(choice, choose, removed) {
		this.choice = choice;
		this.choose = choose;
		this.removed = removed;
		/** The first section, which has no title, and the others. */
		this.lead = element("div", "");
		this.root = element("div", "sections");
		/** @type {Map<string, Section>} */
		this.sections = new Map();
		/** @type {Section[]} those that have charts, in their order */
		this.shown = [];
		/** @type {Map<string, Chart>} */
		this.charts = new Map();
		/** The metric whose chart is to be scrolled to. */
		this.sought = "";
		this.observer = globalThis.IntersectionObserver && this.#watch();
	}

	/** Those that show their first metric in their head only. */
	get folded() {
		return this.shown.filter(({ open }) => !open).slice(0, MOST_SKETCHES);
	}

	/** @param {SectionPlan[]} wanted */
	arrange(wanted) {
		const before = new Set(this.charts.values());
		const roots = wanted.map((section) => this.#section(section, before));
		const first = wanted.findIndex(({ title }) => title);
		const titled = first < 0 ? roots.length : first;
		order(this.lead, roots.slice(0, titled));
		order(this.root, roots.slice(titled));
		this.shown = wanted.flatMap(({ id }) => this.sections.get(id) ?? []);
		for (const chart of before) this.#remove(chart);
		this.#show();
	}

	close() {
		this.observer?.disconnect();
		for (const chart of this.charts.values()) chart.remove();
	}

	/**
	 * @param {SectionPlan} wanted
	 * @param {Set<Chart>} before loses those that are still wanted
	 */
	#section(wanted, before) {
		const section =
			this.sections.get(wanted.id) ??
			new Section(wanted, this.choice, this.choose);
		this.sections.set(wanted.id, section);
		section.update(wanted);
		const seeks = wanted.metrics.some(({ name }) => name === this.sought);
		if (seeks) section.unfold();
		if (section.open) {
			const charts = wanted.charts.map((placed) => this.#chart(placed));
			for (const chart of charts) before.delete(chart);
			section.place(charts.map(({ root }) => root));
		}
		return section.root;
	}

	/**
	 * A chart that is described otherwise than before is made anew.
	 * @param {Placed} placed
	 */
	#chart({ panel, plan }) {
		const key = `${panel.id} ${plan.key}`;
		const before = this.charts.get(key);
		if (before?.shows(plan)) {
			before.plan = plan;
			return before;
		}
		if (before) this.#remove(before);
		const chart = new Chart(panel, plan);
		this.charts.set(key, chart);
		this.observer?.observe(chart.root);
		return chart;
	}

	/** @param {Chart} chart */
	#remove(chart) {
		this.observer?.unobserve(chart.root);
		const key = `${chart.panel.id} ${chart.plan.key}`;
		if (this.charts.get(key) === chart) this.charts.delete(key);
		chart.remove();
		this.removed(chart);
	}

	/** Scrolls to the chart that is sought. */
	#show() {
		if (!this.sought) return;
		[...this.charts.values()]
			.find(({ plan }) => plan.metrics.some(({ name }) => name === this.sought))
			?.root.scrollIntoView({ block: "nearest" });
		this.sought = "";
	}

	#watch() {
		return new IntersectionObserver((entries) => {
			const seen = new Map(
				entries.map(({ target, isIntersecting }) => [target, isIntersecting]),
			);
			for (const chart of this.charts.values()) {
				chart.visible = seen.get(chart.root) ?? chart.visible;
			}
			this.choose({});
		}, NEAR);
	}
}
