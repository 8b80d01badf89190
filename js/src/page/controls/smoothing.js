import { element, write } from "../../base/dom.js";

/** @import { Choice } from "../../data/choice.js" */

/**
 * @param {Choice} choice
 * @param {(part: Partial<Choice>) => void} choose
 */
export function smoothing(choice, choose) {
	const slider = element("input", "smoothing");
	Object.assign(slider, { type: "range", min: "0", max: "0.99", step: "0.01" });
	slider.value = String(choice.weight);
	const value = element("output", "smoothing-value", slider.value);
	slider.addEventListener("input", () => {
		write(value, slider.value);
		choose({ weight: Number(slider.value) });
	});
	return element("label", "control", "smoothing ", slider, value);
}
