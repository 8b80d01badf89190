import { element, order, write } from "../base/dom.js";

/** @import { Choice, Choose } from "../data/choice.js" */
/** @import { SectionPlan } from "../panels/index.js" */

/** Charts that stand together; with a title they can be folded away. */
export class Section {
	/**
	 * @param {SectionPlan} wanted
	 * @param {Choice} choice
	 * @param {Choose} choose
	 */
	constructor({ id, title, control }, choice, choose) {
		this.grid = element("div", "grid");
		this.details = title ? element("details", "section") : null;
		this.count = element("span", "muted");
		this.control = control?.(choice, choose);
		/** @type {HTMLElement} */
		this.root = this.details ?? this.grid;
		/** Whether the reader has folded or unfolded it. */
		this.chosen = false;
		if (!this.details) return;
		this.details.dataset.section = id;
		const summary = element("summary", "summary", title, " ", this.count);
		summary.addEventListener("click", () => {
			this.chosen = true;
		});
		// Also when a search of the page unfolds it.
		this.details.addEventListener("toggle", () => choose({}));
		const bar = this.control ? [element("div", "bar-of-section")] : [];
		if (this.control) bar[0].append(this.control.root);
		this.details.append(summary, ...bar, this.grid);
	}

	get open() {
		return this.details?.open ?? true;
	}

	unfold() {
		this.chosen = true;
		if (this.details) this.details.open = true;
	}

	/** @param {SectionPlan} wanted */
	update({ folded, charts, metrics }) {
		if (this.details && !this.chosen && this.details.open === folded) {
			this.details.open = !folded;
		}
		write(this.count, charts.length > 1 ? String(charts.length) : "");
		this.control?.update(metrics);
	}

	/** @param {HTMLElement[]} charts in their order */
	place(charts) {
		order(this.grid, charts);
	}
}
