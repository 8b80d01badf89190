import { element } from "../base/dom.js";

/**
 * A choice with its label.
 * @param {string} label
 * @param {string[]} values
 * @param {(value: string) => void} changed
 */
export function select(label, values, changed) {
	const options = values.map((value) => new Option(value));
	const choice = element("select", "", ...options);
	choice.ariaLabel = label;
	choice.addEventListener("change", () => changed(choice.value));
	return element("label", "", `${label} `, choice);
}
