import { element, write } from "./dom.js";
import { count } from "./format.js";

/** @import { AlertInfo, Head } from "./protocol" */

/** Told apart without colour, too. */
const ICONS = { warning: "▲", error: "✖" };

/**
 * The alerts, folded under their number and the newest of them.
 * @param {(alert: AlertInfo) => void} seek shows where an alert was
 */
export function alerts(seek) {
	const badge = element("span", "alert-worst");
	const newest = element("span", "alert-newest");
	const summary = element("summary", "alert-summary", badge, newest);
	const list = element("div", "alert-list");
	list.setAttribute("role", "list");
	const older = element("div", "muted");
	const root = element("details", "alerts", summary, list, older);
	root.setAttribute("aria-label", "alerts");
	newest.setAttribute("role", "status");
	root.hidden = true;
	/** How many were ever listed. */
	let listed = 0;

	/** @param {Head} head */
	function update(head) {
		const { alert_count: total, alerts: held } = head;
		root.hidden = total === 0;
		if (total === listed) return;
		const fresh = held.slice(-Math.min(held.length, total - listed));
		list.prepend(...fresh.map((alert) => row(alert, seek)).reverse());
		while (list.children.length > held.length) list.lastElementChild?.remove();
		listed = total;
		const last = held[held.length - 1];
		root.dataset.severity = worst(held);
		write(badge, title(total, worst(held)));
		write(newest, `${last.message} (step ${count(last.step)})`);
		const left = total - held.length;
		write(older, left ? `${count(left)} older ones are in run.alerts` : "");
	}
	return { elements: [root], update };
}

/** @param {AlertInfo[]} held */
const worst = (held) =>
	held.some(({ severity }) => severity === "error") ? "error" : "warning";

/**
 * @param {number} total
 * @param {"warning" | "error"} severity
 */
export const title = (total, severity) =>
	`${ICONS[severity]} ${count(total)} ${total === 1 ? "alert" : "alerts"}`;

/**
 * @param {AlertInfo} alert
 * @param {(alert: AlertInfo) => void} seek
 */
function row(alert, seek) {
	const { severity, step, rule, message, advice } = alert;
	const button = element(
		"button",
		"alert",
		element("span", "alert-badge", `${ICONS[severity]} ${severity}`),
		element("span", "alert-step", `step ${count(step)}`),
		element(
			"span",
			"alert-text",
			element("span", "", message),
			element("span", "muted", advice),
		),
	);
	button.type = "button";
	button.title = `${rule}: show this step in the curves`;
	button.dataset.severity = severity;
	button.addEventListener("click", () => seek(alert));
	const item = element("div", "", button);
	item.setAttribute("role", "listitem");
	return item;
}
