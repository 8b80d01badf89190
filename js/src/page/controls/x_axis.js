import { element } from "../../base/dom.js";
import { AXES } from "../../curve/axes.js";

/** @import { Choice } from "../../data/choice.js" */

/**
 * The axes on which all that is shown has a place, and the one that is drawn.
 * @typedef {{known: string[], drawn: string}} Offer
 */

/**
 * An axis can be chosen when something is known of it.
 * @param {Choice} choice
 * @param {(part: Partial<Choice>) => void} choose
 */
export function xAxis(choice, choose) {
	const options = AXES.map(([id, label]) => new Option(label, id));
	const select = element("select", "x", ...options);
	select.addEventListener("change", () =>
		choose({ x: select.value, range: null, zoomed: choice.zoomed + 1 }),
	);
	/** @param {Offer} offer */
	function update({ known, drawn }) {
		if (select.value !== drawn) select.value = drawn;
		for (const option of select.options) {
			option.disabled = !known.includes(option.value);
		}
	}
	return { root: element("label", "control", "x ", select), update };
}
