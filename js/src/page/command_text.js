import { count } from "../base/format.js";
import { ended } from "../data/store.js";

/** @import { Command, Status } from "../protocol" */

const DONE = { ask_save: "saved at", ask_log_interval: "since" };
const FAILED = { ask_save: "not saved", ask_log_interval: "not changed" };

/**
 * Whether a command can be given, and what became of the last one, in words.
 * @param {Command} command
 * @param {Status} status
 * @param {{waits: boolean, refusal: string, gone: boolean}} asked
 */
export function commandState(command, status, { waits, refusal, gone }) {
	const over = ended(status) || gone;
	const waiting = waits || command.state === "waiting";
	return {
		enabled: !over && !waiting && status.controls,
		text: over ? outcome(command) : progress(command, waits, refusal),
	};
}

/**
 * @param {Command} command
 * @param {boolean} waits
 * @param {string} refusal
 */
function progress(command, waits, refusal) {
	if (waits) return "waiting for the kernel…";
	if (command.state === "waiting") return "after the running step…";
	return refusal || outcome(command);
}

/** @param {Command} command */
function outcome({ kind, state, step, text }) {
	const at = `step ${count(step ?? 0)}`;
	if (state === "done") return `${DONE[kind]} ${at}`;
	return state === "failed" ? `${FAILED[kind]} at ${at}: ${text}` : "";
}

/**
 * What the pause says.
 * @param {{on: boolean, holds: boolean, step: number | null}} pause
 */
export function pauseText({ on, holds, step }) {
	if (!on) return "";
	if (!holds) return "pausing…";
	return step === null ? "paused" : `paused at step ${count(step)}`;
}
