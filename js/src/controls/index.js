import { element, write } from "../dom.js";
import { logY } from "./log_y.js";
import { smoothing } from "./smoothing.js";
import { xAxis } from "./x_axis.js";

/** @import { MetricInfo } from "../protocol" */
/** @import { Offer } from "./x_axis.js" */

/**
 * What the reader has chosen; none of it needs the kernel.
 * @typedef {{
 *   x: string, weight: number, log: boolean,
 *   range: [number, number] | null, zoomed: number, parameter: string,
 *   tracks: Record<string, boolean>,
 * }} Choice `zoomed` counts the times that the zoom was undone; `parameter` is the
 *   one of the distributions, empty for the first;
 *   `tracks` are those shown or hidden otherwise than the kernel has it
 *
 * @typedef {(part: Partial<Choice>) => void} Choose
 *
 * A control of one section.
 * @typedef {(choice: Choice, choose: Choose) => {
 *   root: HTMLElement, update(metrics: MetricInfo[]): void,
 * }} Control
 */

/** @returns {Choice} */
export const initialChoice = () => ({
	x: "step",
	weight: 0,
	log: false,
	range: null,
	zoomed: 0,
	parameter: "",
	tracks: {},
});

/**
 * The row above the panels; says at its end how much of the data is drawn.
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
		choose({ range: null, zoomed: choice.zoomed + 1 }),
	);
	const x = xAxis(choice, choose);
	const truth = element("span", "truth");
	const root = element(
		"div",
		"controls",
		x.root,
		smoothing(choice, choose),
		logY(choice, choose),
		reset,
		truth,
	);
	/**
	 * @param {string} text
	 * @param {Offer} axes
	 */
	function update(text, axes) {
		x.update(axes);
		reset.hidden = choice.range === null;
		write(truth, text);
	}
	return { elements: [root], update };
}
