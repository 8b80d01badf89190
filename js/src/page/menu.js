import { element, write } from "../base/dom.js";
import { ended } from "../data/store.js";
import { commandState, pauseText } from "./command_text.js";

/** @import { Feed } from "../link/feed.js" */
/** @import { CommandKind } from "../protocol" */
/** @import { Pause } from "./pause.js" */

const MOST_STEPS = 1e9;

/**
 * What can be asked beside Stop: a row that a button unfolds.
 * @param {Feed} feed
 * @param {Pause} pause
 * @param {() => void} changed the pause
 */
export function menu(feed, pause, changed) {
	const rest = element("button", "pause");
	rest.type = "button";
	rest.addEventListener("click", () => {
		pause.toggle();
		changed();
	});
	const resting = said();
	const pausing = element("span", "command", rest, resting);
	const commands = [save(feed), logInterval(feed)];
	const row = element(
		"div",
		"below mswidget-menu",
		pausing,
		...commands.map(root),
	);
	row.hidden = true;
	const button = element("button", "more", "⋯");
	button.type = "button";
	button.title = "more commands";
	button.setAttribute("aria-label", "more commands");
	button.addEventListener("click", () => {
		row.hidden = !row.hidden;
		button.setAttribute("aria-expanded", String(!row.hidden));
	});
	button.setAttribute("aria-expanded", "false");

	function update() {
		const live = !feed.gone && !ended(feed.store.head.status);
		pausing.hidden = !live && !pause.on;
		write(rest, pause.on ? "Go on" : "Pause drawing");
		write(resting, pauseText(pause));
		for (const command of commands) command.update();
		const { children } = row;
		button.hidden = [...children].every((child) =>
			child.hasAttribute("hidden"),
		);
	}
	return { button, row, update };
}

/** @param {{root: HTMLElement}} command */
const root = (command) => command.root;

/** @param {Feed} feed */
function save(feed) {
	const button = element("button", "save", "Save checkpoint");
	button.type = "button";
	// A button that is disabled loses the focus.
	let allowed = false;
	button.addEventListener("click", () => {
		if (allowed) feed.guard(() => feed.command({ kind: "ask_save" }));
	});
	return command(feed, "ask_save", button, ({ enabled }) => {
		allowed = enabled;
		button.setAttribute("aria-disabled", String(!enabled));
	});
}

/** @param {Feed} feed */
function logInterval(feed) {
	const input = element("input", "log-interval");
	Object.assign(input, { type: "number", min: "1", max: String(MOST_STEPS) });
	let allowed = false;
	let value = 0;
	function ask() {
		const steps = Number(input.value);
		const fits = Number.isInteger(steps) && steps >= 1 && steps <= MOST_STEPS;
		if (!fits || !allowed) input.value = String(value);
		else if (steps !== value)
			feed.guard(() => feed.command({ kind: "ask_log_interval", steps }));
	}
	input.addEventListener("change", ask);
	input.addEventListener("keydown", ({ key }) => {
		if (key === "Enter") ask();
	});
	const label = element("label", "control", "log one step in ", input);
	return command(feed, "ask_log_interval", label, ({ enabled, set }) => {
		// What the reader is typing is left alone.
		if (set !== value || (enabled && !allowed)) input.value = String(set);
		value = set;
		allowed = enabled;
		input.setAttribute("aria-disabled", String(!enabled));
	});
}

/**
 * The control of a command, and what became of it; it is there where somebody obeys.
 * @param {Feed} feed
 * @param {CommandKind} kind
 * @param {HTMLElement} control
 * @param {(state: {enabled: boolean, set: number}) => void} show
 */
function command(feed, kind, control, show) {
	const outcome = said();
	const root = element("span", "command", control, outcome);
	function update() {
		const { status } = feed.store.head;
		const told = status.commands.find((each) => each.kind === kind);
		root.hidden = !told;
		if (!told) return;
		const asked = feed.commands.state(kind, status.begun_s);
		const state = commandState(told, status, { ...asked, gone: feed.gone });
		show({ enabled: state.enabled, set: told.value ?? 1 });
		write(outcome, state.text);
		outcome.title = told.text;
	}
	return { root, update };
}

/** Where what became of something is said, also to who cannot see it. */
function said() {
	const made = element("span", "muted");
	made.setAttribute("role", "status");
	return made;
}
