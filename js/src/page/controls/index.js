import { element, write } from "../../base/dom.js";
import { logY } from "./log_y.js";
import { smoothing } from "./smoothing.js";
import { xAxis } from "./x_axis.js";

/** @import { Choice, Choose } from "../../data/choice.js" */
/** @import { Offer } from "./x_axis.js" */

/**
 * The row above the panels, and what says below them how much of the data is drawn.
 * @param {Choice} choice
 * @param {() => void} changed
 */
export function controls(choice, changed) {
	/** @param {Partial<Choice>} part */
	const choose = (part) => {
		Object.assign(choice, part);
		changed();
	};
	const reset = element("button", "reset", "show all");
	reset.type = "button";
	reset.addEventListener("click", () =>
		choose({ range: null, follow: 0, zoomed: choice.zoomed + 1 }),
	);
	const x = xAxis(choice, choose);
	const coverage = element("div", "coverage");
	const root = element(
		"div",
		"controls",
		x.root,
		smoothing(choice, choose),
		logY(choice, choose),
		reset,
	);
	/**
	 * @param {string} text
	 * @param {Offer} axes
	 */
	function update(text, axes) {
		x.update(axes);
		reset.hidden = choice.range === null && !choice.follow;
		write(coverage, text);
		coverage.title = text;
	}
	return { root, coverage, update };
}
