import { element, write } from "../base/dom.js";
import { menu } from "./menu.js";
import { statusText, stopState } from "./status_text.js";

/** @import { Feed } from "../link/feed.js" */
/** @import { Pause } from "./pause.js" */

/**
 * Run, phase, progress and what can be asked of the training.
 * @param {Feed} feed
 * @param {Pause} pause
 * @param {() => void} changed the pause
 */
export function header(feed, pause, changed) {
	const name = element("strong", "name");
	const pill = element("span", "pill");
	const place = element("span", "place");
	const bar = element("div", "bar", element("div", "bar-fill"));
	bar.setAttribute("role", "progressbar");
	bar.setAttribute("aria-label", "progress");
	const left = element("span", "muted");
	const age = element("span", "muted mswidget-age");
	const stop = element("button", "stop", "Stop");
	stop.type = "button";
	stop.addEventListener("click", () =>
		feed.guard(() => feed.command({ kind: "ask_stop" })),
	);
	const more = menu(feed, pause, changed);
	const note = element("div", "stop-note");
	const root = element(
		"header",
		"header",
		name,
		pill,
		place,
		bar,
		left,
		age,
		element("span", "commands", more.button, stop),
	);

	function update() {
		const { head } = feed.store;
		const now_s = Date.now() / 1000 - (feed.store.skew ?? 0);
		const text = statusText(head.status, now_s, feed.gone, head.silence);
		write(name, head.run.name);
		name.title = head.run.path;
		write(pill, text.pill);
		pill.dataset.phase = text.trouble ? "trouble" : head.status.phase;
		write(place, text.place);
		progress(bar, text.fraction);
		write(left, text.left);
		write(age, text.age);
		const {
			label,
			enabled,
			hidden,
			note: why,
		} = stopState(head.status, {
			...feed.commands.state("ask_stop", head.status.begun_s),
			gone: feed.gone,
		});
		write(stop, label);
		stop.disabled = !enabled;
		stop.hidden = hidden;
		write(note, why);
		more.update();
	}
	return { elements: [root, more.row, note], update };
}

/**
 * @param {HTMLElement} bar
 * @param {number | null} fraction
 */
function progress(bar, fraction) {
	bar.hidden = fraction === null;
	const percent = `${Math.round(1000 * (fraction ?? 0)) / 10}`;
	bar.setAttribute("aria-valuenow", percent);
	const fill = /** @type {HTMLElement} */ (bar.firstElementChild);
	fill.style.width = `${percent}%`;
}
