import { element } from "../../base/dom.js";

/** @import { Choice } from "../../data/choice.js" */

/**
 * @param {Choice} choice
 * @param {(part: Partial<Choice>) => void} choose
 */
export function logY(choice, choose) {
	const box = element("input", "log");
	box.type = "checkbox";
	box.checked = choice.log;
	box.addEventListener("change", () => choose({ log: box.checked }));
	return element("label", "control", box, " log y");
}
