import { element, write } from "../base/dom.js";
import { menu } from "./menu.js";
import { messageList } from "./message_list.js";
import { hasRanks, isOdd, messages } from "./messages.js";
import { stateOf, stopState } from "./state.js";

/** @import { Choice } from "../data/choice.js" */
/** @import { Feed } from "../link/feed.js" */
/** @import { Goal } from "./messages.js" */
/** @import { Pause } from "./pause.js" */

/**
 * The bar that stays in view: state, run, progress, the worst that there is to say, and
 * what can be asked of the training. Its height never changes.
 * @param {Feed} feed
 * @param {Choice} choice
 * @param {Pause} pause
 * @param {() => void} changed the pause
 * @param {(goal: Goal) => void} go shows what a message is about
 */
export function bar(feed, choice, pause, changed, go) {
	const pill = element("span", "pill");
	const name = element("strong", "name");
	const place = element("span", "place");
	const left = element("span", "left");
	const said = messageList(go);
	const progress = element("div", "progress", element("div", "progress-fill"));
	progress.setAttribute("role", "progressbar");
	progress.setAttribute("aria-label", "progress");
	const stop = element("button", "stop", "Stop");
	stop.type = "button";
	stop.addEventListener("click", () =>
		feed.guard(() => feed.command({ kind: "ask_stop" })),
	);
	const more = menu(feed, pause, changed);
	const root = element(
		"header",
		"bar",
		element(
			"div",
			"facts",
			element("div", "facts-row", pill, place),
			element("div", "facts-row", name, left, said.root),
		),
		element("span", "commands", more.button, stop),
		...[more.row, progress],
	);

	function update() {
		const { head, skew } = feed.store;
		const now_s = Date.now() / 1000 - (skew ?? 0);
		const asked = {
			...feed.commands.state("ask_stop", head.status.begun_s),
			gone: feed.gone,
		};
		const { label, enabled, hidden, note } = stopState(head.status, asked);
		const own = [feed.error && `mswidget: ${feed.error}`, note].filter(Boolean);
		const told = messages(feed.store, choice, now_s, own);
		const look = { odd: isOdd(told), ranks: hasRanks(told) };
		const state = stateOf(head, now_s, feed.gone, look);
		said.update(told);
		root.dataset.tone = state.tone;
		write(pill, state.pill);
		pill.title = [state.pill, state.age].filter(Boolean).join(" · ");
		write(name, head.run.name);
		name.title = [head.run.name, head.run.path].join("\n");
		write(place, state.place);
		place.title = state.place;
		fill(progress, state.fraction);
		write(left, state.left);
		write(stop, label);
		stop.disabled = !enabled;
		stop.hidden = hidden;
		more.update();
	}
	return { root, update };
}

/**
 * @param {HTMLElement} progress
 * @param {number | null} fraction
 */
function fill(progress, fraction) {
	progress.hidden = fraction === null;
	const percent = `${Math.round(1000 * (fraction ?? 0)) / 10}`;
	progress.setAttribute("aria-valuenow", percent);
	const part = /** @type {HTMLElement} */ (progress.firstElementChild);
	part.style.width = `${percent}%`;
}
