import { element, order, svg, write } from "../base/dom.js";
import { number } from "../base/format.js";
import { draw, outline, SIZE, sketch } from "../draw/sketch.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { Choice, Choose } from "../data/choice.js" */
/** @import { SectionPlan } from "../panels/index.js" */

/** Charts that stand together; with a title they can be folded away. */
export class Section {
	/**
	 * @param {SectionPlan} wanted
	 * @param {Choice} choice
	 * @param {Choose} choose
	 */
	constructor({ id, title, control, metrics: [first] }, choice, choose) {
		this.id = id;
		this.choice = choice;
		this.choose = choose;
		/** Whether it is open, by the reader's choice or without one. */
		this.meant = true;
		this.grid = element("div", "grid");
		this.details = title ? element("details", "section") : null;
		this.count = element("span", "muted");
		this.newest = element("span", "newest");
		this.line = svg("path", { class: "mswidget-sketch" });
		/** The metric whose curve stands for all while they are folded. */
		this.first = first;
		this.control = control?.(choice, choose);
		/** @type {HTMLElement} */
		this.root = this.details ?? this.grid;
		if (!this.details) return;
		this.details.dataset.section = id;
		const view = `0 0 ${SIZE.width} ${SIZE.height}`;
		const small = svg(
			"svg",
			{ viewBox: view, preserveAspectRatio: "none", "aria-hidden": "true" },
			this.line,
		);
		const summary = element(
			"summary",
			"summary mswidget-section-head",
			element("span", "section-title", title),
			...[this.count, element("span", "small", small), this.newest],
		);
		summary.addEventListener("click", () => this.#turn(!this.open));
		// Also when a search of the page unfolds it.
		this.details.addEventListener("toggle", () => this.#turn(this.open));
		const bar = this.control ? [element("div", "bar-of-section")] : [];
		if (this.control) bar[0].append(this.control.root);
		this.details.append(summary, ...bar, this.grid);
	}

	get open() {
		return this.details?.open ?? true;
	}

	unfold() {
		this.#turn(true);
		if (this.details) this.details.open = true;
	}

	/**
	 * Shows in its head what it holds.
	 * @param {Curve} curve of its first metric
	 * @param {[number, number]} range
	 * @param {string} color
	 * @param {number | undefined} newest
	 */
	sketch(curve, range, color, newest) {
		draw(this.line, sketch(outline(curve), range), color);
		const { name, label, unit } = this.first;
		const value = newest === undefined ? "" : number(newest);
		write(this.newest, [label || name, value, unit].filter(Boolean).join(" "));
	}

	/** @param {SectionPlan} wanted */
	update({ folded, charts, metrics }) {
		[this.first] = metrics;
		this.meant = this.choice.open[this.id] ?? !folded;
		if (this.details) this.details.open = this.meant;
		write(this.count, charts.length > 1 ? String(charts.length) : "");
		this.control?.update(metrics);
	}

	/** @param {boolean} open */
	#turn(open) {
		const chosen = { ...this.choice.open, [this.id]: open };
		this.choose(open === this.meant ? {} : { open: chosen });
		this.meant = open;
	}

	/** @param {HTMLElement[]} charts in their order */
	place(charts) {
		order(this.grid, charts);
	}
}
