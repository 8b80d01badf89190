import { element } from "../base/dom.js";
import { shownNames } from "../base/names.js";
import { parameters } from "../data/parameters.js";

/** @import { Control } from "./plan.js" */

const NAME_LENGTH = 60;

/** @type {Control} which parameter's weights and gradients are shown */
export function parameter(choice, choose) {
	const select = element("select", "parameter");
	select.addEventListener("change", () => choose({ parameter: select.value }));
	/** @type {string[]} */
	let listed = [];
	return {
		root: element("label", "control", "parameter ", select),
		update(metrics) {
			const known = parameters(metrics);
			if (known.join("\n") !== listed.join("\n")) {
				listed = known;
				const shown = shownNames(known, NAME_LENGTH);
				select.replaceChildren(
					...known.map((name) => new Option(shown(name), name)),
				);
			}
			const chosen = known.includes(choice.parameter)
				? choice.parameter
				: known[0];
			if (select.value !== chosen) select.value = chosen ?? "";
		},
	};
}
