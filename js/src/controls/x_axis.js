import { AXES } from "../axes.js";
import { element } from "../dom.js";

/** @import { Choice } from "./index.js" */

/**
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
	return element("label", "control", "x ", select);
}
