import { element, write } from "../base/dom.js";
import { nameParts } from "../base/name_parts.js";
import { cards } from "./cards.js";

/** @import { Store } from "../data/store.js" */

/**
 * The newest values, the first of them large; of plain elements, since JupyterLab has a
 * layout of its own for lists in outputs.
 * @param {Store} store
 */
export function values(store) {
	const root = element("div", "cards");
	/** Elements are kept from one update to the next. */
	function update() {
		const shown = cards(store);
		while (root.children.length > shown.length) root.lastElementChild?.remove();
		while (root.children.length < shown.length) {
			const parts = ["card-label", "card-value", "card-note"];
			root.append(
				element("div", "card", ...parts.map((part) => element("div", part))),
			);
		}
		shown.forEach(({ name, label, value, note, alarm }, i) => {
			const [a, b, c] = root.children[i].children;
			if (a.textContent !== label) a.replaceChildren(...nameParts(label));
			write(b, value);
			write(c, note);
			Object.assign(a, { title: name });
			Object.assign(c, { title: note });
			root.children[i].toggleAttribute("data-alarm", alarm);
		});
	}
	return { root, update };
}
