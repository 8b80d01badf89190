import { element, write } from "../base/dom.js";
import { nameParts } from "../base/name_parts.js";
import { cards } from "./cards.js";
import { endText } from "./status_text.js";

/** @import { Feed } from "../link/feed.js" */
/** @import { Card } from "./cards.js" */

/**
 * The value cards, the end of the run, notices, and errors of this page; of plain
 * elements, since JupyterLab has a layout of its own for lists in outputs.
 * @param {Feed} feed
 */
export function banners(feed) {
	const values = element("div", "cards");
	const end = element("div", "strip");
	end.setAttribute("role", "status");
	const notices = element("div", "notices");
	notices.setAttribute("role", "log");
	notices.setAttribute("aria-label", "notices");
	const error = element("div", "page-error");
	error.setAttribute("role", "alert");

	function update() {
		const { head } = feed.store;
		fill(values, cards(feed.store));
		write(end, endText(head.status));
		end.dataset.phase = head.status.phase;
		list(notices, head.notices);
		write(error, feed.error && `mswidget: ${feed.error}`);
	}
	return { elements: [values, end, notices, error], update };
}

/**
 * Elements are kept from one update to the next.
 * @param {HTMLElement} list
 * @param {Card[]} shown
 */
function fill(list, shown) {
	while (list.children.length > shown.length) list.lastElementChild?.remove();
	while (list.children.length < shown.length) {
		const [term, value, note] = [
			element("div", "card-label"),
			element("div", "card-value"),
			element("div", "card-note"),
		];
		list.append(element("div", "card", term, value, note));
	}
	shown.forEach(({ name, label, value, note, alarm }, i) => {
		const [a, b, c] = list.children[i].children;
		if (a.textContent !== label) a.replaceChildren(...nameParts(label));
		write(b, value);
		write(c, note);
		Object.assign(a, { title: name });
		Object.assign(c, { title: note });
		list.children[i].toggleAttribute("data-alarm", alarm);
	});
}

/**
 * Those that stay are left alone: a screen reader would read them again.
 * @param {HTMLElement} list
 * @param {string[]} texts
 */
function list(list, texts) {
	while (list.children.length > texts.length) list.lastElementChild?.remove();
	while (list.children.length < texts.length)
		list.append(element("div", "notice"));
	texts.forEach((text, i) => {
		write(list.children[i], text);
	});
}
