import { AXES } from "../axes.js";
import { element } from "../dom.js";

/** @import { Choice } from "./index.js" */

/**
 * An axis can be chosen when something is known of it.
 * @param {Choice} choice
 * @param {(part: Partial<Choice>) => void} choose
 */
export function xAxis(choice, choose) {
	const select = element("select", "x");
	for (const [id, label] of AXES) {
		select.append(new Option(label, id, id === choice.x, id === choice.x));
	}
	select.addEventListener("change", () =>
		choose({ x: select.value, range: null, zoomed: choice.zoomed + 1 }),
	);
	/** @param {boolean} epochs are known */
	function update(epochs) {
		for (const option of select.options) {
			option.disabled = option.value === "epoch" && !epochs;
		}
	}
	return { root: element("label", "control", "x ", select), update };
}
