import { element } from "../../base/dom.js";

/** @import { Choice } from "../../data/choice.js" */

/**
 * Axes by id and label, those on which all that is shown has a place, and the one
 * that is drawn.
 * @typedef {{
 *   axes: readonly (readonly [string, string])[], known: string[], drawn: string,
 * }} Offer
 */

/**
 * An axis can be chosen when something is known of it.
 * @param {Choice} choice
 * @param {(part: Partial<Choice>) => void} choose
 */
export function xAxis(choice, choose) {
	const select = element("select", "x");
	select.addEventListener("change", () =>
		choose({ x: select.value, range: null, zoomed: choice.zoomed + 1 }),
	);
	/** @param {Offer} offer */
	function update({ axes, known, drawn }) {
		if (select.options.length !== axes.length) {
			const options = axes.map(([id, label]) => new Option(label, id));
			select.replaceChildren(...options);
		}
		if (select.value !== drawn) select.value = drawn;
		for (const option of select.options) {
			option.disabled = !known.includes(option.value);
		}
	}
	return { root: element("label", "control", "x ", select), update };
}
