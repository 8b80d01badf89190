import { element, order, write } from "../base/dom.js";
import { count } from "../base/format.js";

/** @import { AlertInfo, Head, Track } from "../protocol" */

/** Told apart without colour, too. */
const ICONS = { info: "●", warning: "▲", error: "✖" };

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
	/** @type {Map<string, HTMLElement>} what is listed, kept while it is */
	let rows = new Map();
	/** @type {AlertInfo[]} */
	let shown = [];

	/** @param {Head} head */
	function update({ alerts: held, alert_count: total, tracks }) {
		root.hidden = held.length === 0;
		if (held === shown || !held.length) return;
		shown = held;
		const sorted = newestFirst(held);
		const where = places(held, tracks);
		const before = rows;
		rows = new Map(
			sorted.map((alert) => {
				const place = where(alert);
				const key = JSON.stringify([place, alert]);
				return [key, before.get(key) ?? row(alert, place, seek)];
			}),
		);
		for (const [key, old] of before) if (!rows.has(key)) old.remove();
		order(list, [...rows.values()]);
		const severity = worst(held);
		root.dataset.severity = severity;
		write(badge, title(total, severity));
		write(newest, `${sorted[0].message} (${where(sorted[0])})`);
		const left = total - held.length;
		write(older, left ? `${count(left)} older ones are in run.alerts` : "");
	}
	return { elements: [root], update };
}

/**
 * Those of several ranks come in any order.
 * @param {AlertInfo[]} held
 */
export const newestFirst = (held) =>
	[...held].reverse().sort((a, b) => b.wall_time_s - a.wall_time_s);

/** @type {AlertInfo["severity"][]} */
const WORST_FIRST = ["error", "warning", "info"];

/** @param {AlertInfo[]} held */
const worst = (held) =>
	WORST_FIRST.find((kind) => held.some(({ severity }) => severity === kind)) ??
	"info";

/**
 * @param {number} total
 * @param {AlertInfo["severity"]} severity
 */
export const title = (total, severity) =>
	`${ICONS[severity]} ${count(total)} ${total === 1 ? "alert" : "alerts"}`;

/**
 * Says where alerts were: of several runs each is named, of several ranks each rank.
 * @param {AlertInfo[]} held
 * @param {Track[]} tracks
 * @returns {(alert: AlertInfo) => string}
 */
export function places(held, tracks) {
	const runs = tracks.some(({ run }) => run !== tracks[0].run);
	const ranks = held.some(({ rank }) => rank !== held[0].rank);
	return ({ rank, step, track }) => {
		const label = runs && tracks.find(({ id }) => id === track)?.label;
		const whose = label || (ranks ? `rank ${rank}` : "");
		return [whose, `step ${count(step)}`].filter(Boolean).join(", ");
	};
}

/**
 * @param {AlertInfo} alert
 * @param {string} place
 * @param {(alert: AlertInfo) => void} seek
 */
function row(alert, place, seek) {
	const { severity, rule, message, advice } = alert;
	const button = element(
		"button",
		"alert",
		element("span", "alert-badge", `${ICONS[severity]} ${severity}`),
		element("span", "alert-step", place),
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
