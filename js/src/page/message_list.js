import { element, order, write } from "../base/dom.js";
import { count } from "../base/format.js";

/** @import { Goal, Message } from "./messages.js" */

/** Told apart without colour, too. */
const ICONS = { error: "✖", warning: "▲", info: "●" };

/**
 * The worst message in a line, and all of them in a list that is unfolded below it and
 * moves nothing.
 * @param {(goal: Goal) => void} go shows what a message is about
 */
export function messageList(go) {
	const worst = element("button", "worst");
	worst.type = "button";
	const said = element("span", "heard");
	said.setAttribute("role", "status");
	const summary = element("summary", "message-count");
	const list = element("div", "below mswidget-message-list");
	list.setAttribute("role", "list");
	const all = element("details", "messages", summary, list);
	all.setAttribute("aria-label", "messages");
	const root = element("div", "said", worst, all, said);
	root.addEventListener("keydown", (event) => {
		if (event.key !== "Escape" || !all.open) return;
		all.open = false;
		summary.focus();
		event.stopPropagation();
	});
	/** @type {Message[]} */
	let shown = [];
	worst.addEventListener("click", () => {
		if (leads(shown[0])) go(shown[0].goal);
		else all.open = !all.open;
	});
	/** @type {Map<string, HTMLElement>} what is listed, kept while it is */
	let rows = new Map();

	/** @param {Message[]} told */
	function update(told) {
		root.hidden = told.length === 0;
		shown = told;
		if (!told.length) return;
		const [{ severity, text, place }] = told;
		root.dataset.severity = severity;
		const line = `${ICONS[severity]} ${text}${place && ` (${place})`}`;
		write(worst, line);
		worst.title = line;
		// How long something lasts is not read out again and again.
		write(said, text);
		write(summary, `${count(told.length)} ▾`);
		summary.title = "all messages";
		const before = rows;
		rows = new Map(
			told.map((message) => {
				const { goal, ...words } = message;
				const key = JSON.stringify([words, goal]);
				return [key, before.get(key) ?? row(message, go)];
			}),
		);
		for (const [key, old] of before) if (!rows.has(key)) old.remove();
		order(list, [...rows.values()]);
	}
	return { root, update };
}

/** @param {Message} message */
const leads = ({ goal }) => Object.keys(goal).length > 0;

/**
 * @param {Message} message
 * @param {(goal: Goal) => void} go
 */
function row(message, go) {
	const { severity, text, place, more, goal } = message;
	const parts = [
		element("span", "message-icon", `${ICONS[severity]} ${severity}`),
		element("span", "message-place", place),
		element(
			"span",
			"message-text",
			element("span", "", text),
			element("span", "muted", more),
		),
	];
	const item = element("div", "message");
	item.dataset.severity = severity;
	item.setAttribute("role", "listitem");
	if (!leads(message)) {
		item.append(...parts);
		return item;
	}
	const button = element("button", "message-button", ...parts);
	button.type = "button";
	button.title = "show this in the curves";
	button.addEventListener("click", () => go(goal));
	item.append(button);
	return item;
}
