import { count, duration } from "../base/format.js";
import { ended } from "../data/store.js";

/** @import { Status } from "../protocol" */

/**
 * What the header says of a run at one moment.
 * @param {Status} status
 * @param {number} now_s on the kernel's clock
 * @param {boolean} gone the kernel is
 * @param {number} silence_s after which the kernel is told of as silent
 */
export function statusText(status, now_s, gone, silence_s) {
	const over = ended(status);
	const silent = now_s - status.sent_s > silence_s;
	return {
		pill: pill(status, now_s, gone, over, silent),
		trouble: !over && (gone || silent),
		place: place(status),
		fraction:
			status.total_steps && status.step !== null
				? Math.min(1, status.step / status.total_steps)
				: null,
		left: over || gone || silent ? "" : left(status),
		age:
			over || status.last_value_s === null
				? ""
				: `last value ${duration(now_s - status.last_value_s)} ago`,
	};
}

/**
 * @param {Status} status
 * @param {number} now_s
 * @param {boolean} gone
 * @param {boolean} over
 * @param {boolean} silent
 */
function pill(status, now_s, gone, over, silent) {
	const { phase, phase_since_s, begun_s, sent_s } = status;
	if (over) return `${phase} after ${duration(phase_since_s - begun_s)}`;
	if (gone) return `${phase} · kernel gone`;
	if (silent) return `${phase} · no news for ${duration(now_s - sent_s)}`;
	return `${phase} · ${duration(now_s - phase_since_s)}`;
}

/** @param {Status} status */
function place(status) {
	const { step, total_steps, epoch, total_epochs, detail } = status;
	const places = [];
	if (step !== null) places.push(`step ${of(step, total_steps)}`);
	if (epoch !== null) places.push(`epoch ${of(epoch, total_epochs)}`);
	if (detail && !ended(status)) places.push(detail);
	return places.join(" · ");
}

/**
 * @param {number} value
 * @param {number | null} total
 */
const of = (value, total) =>
	total === null ? count(value) : `${count(value)} / ${count(total)}`;

/** @param {Status} status */
function left({ step, total_steps, steps_per_s }) {
	if (step === null || !total_steps || !steps_per_s || steps_per_s < 0)
		return "";
	return `${duration((total_steps - step) / steps_per_s)} left`;
}

/**
 * How a run ended, in words; empty while it goes on.
 * @param {Status} status
 */
export function endText({ phase, step, detail }) {
	const where = step === null ? "" : ` at step ${count(step)}`;
	if (phase === "failed")
		return `failed${where}: ${detail || "unknown reason"}`;
	if (phase === "lost") return `lost${where}: ${detail}`;
	if (phase === "stopped") return `stopped${where}${detail && `: ${detail}`}`;
	return "";
}

/**
 * What the Stop button says, and why it may not work.
 * @param {Status} status
 * @param {{waits: boolean, taken: boolean, refusal: string, gone: boolean}} command
 */
export function stopState(status, { waits, taken, refusal, gone }) {
	const over = ended(status) || gone;
	const asked = status.stop !== "" || waits || taken;
	return {
		label: over ? "Stop" : stopLabel(status, waits, taken),
		enabled: !over && !asked,
		hidden: !status.stoppable,
		note:
			over || !status.stoppable
				? ""
				: [refusal, status.controls ? "" : DEAF].join(" ").trim(),
	};
}

const DEAF =
	"This kernel hears no button while a cell runs. To stop: interrupt the cell.";

/**
 * @param {Status} status
 * @param {boolean} waits
 * @param {boolean} taken
 */
function stopLabel({ stop }, waits, taken) {
	if (stop === "obeyed") return "stopping…";
	if (stop === "requested" || taken) return "stop requested…";
	return waits ? "waiting for the kernel…" : "Stop";
}
