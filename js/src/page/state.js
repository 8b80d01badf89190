import { count, duration } from "../base/format.js";
import { ended } from "../data/store.js";

/** @import { Head, Silence, Status } from "../protocol" */

/** @typedef {"good" | "busy" | "warning" | "error" | "over"} Tone */

/**
 * What is seen of a run at one moment. `odd` are metrics whose newest value is not
 * finite, `ranks` those that need a look, `missing` is what has not come for long.
 * @typedef {{
 *   status: Status, over: boolean, gone: boolean, missing: string[],
 *   odd: boolean, ranks: boolean,
 * }} Seen
 */

/**
 * How a state looks: the first line that is true counts. Green means that values are
 * coming, and are finite.
 * @type {[Tone, (seen: Seen) => boolean][]}
 */
const TONES = [
	["error", ({ status }) => ["failed", "lost"].includes(status.phase)],
	["over", ({ over }) => over],
	["warning", ({ gone, missing }) => gone || missing.length > 0],
	["error", ({ odd }) => odd],
	["warning", ({ ranks }) => ranks],
	[
		"good",
		({ status: { phase, last_value_s } }) =>
			phase === "training" && last_value_s !== null,
	],
	["busy", () => true],
];

/**
 * What the bar says of a run at one moment.
 * @param {Pick<Head, "status" | "silence">} head
 * @param {number} now_s on the kernel's clock
 * @param {boolean} gone the kernel is
 * @param {{odd: boolean, ranks: boolean}} needs a look
 */
export function stateOf({ status, silence }, now_s, gone, { odd, ranks }) {
	const over = ended(status);
	const troubles = missing(status, now_s, silence);
	const seen = { status, over, gone, missing: troubles, odd, ranks };
	const [tone] = /** @type {[Tone, unknown]} */ (
		TONES.find(([, holds]) => holds(seen))
	);
	const coming = !over && !gone && !troubles.length;
	return {
		tone,
		pill: pill(status, now_s, gone, over, troubles),
		place: place(status),
		fraction:
			status.total_steps && status.step !== null
				? Math.min(1, status.step / status.total_steps)
				: null,
		left: coming ? left(status) : "",
		age:
			over || status.last_value_s === null
				? ""
				: `last value ${duration(now_s - status.last_value_s)} ago`,
	};
}

/**
 * What has not come for long. The page counts: a kernel whose training holds it up, or
 * that hangs, says nothing.
 * @param {Status} status
 * @param {number} now_s
 * @param {Silence} silence
 */
function missing(status, now_s, silence) {
	const { sent_s, phase_since_s, detail } = status;
	// While a sink runs, its steps are made unseen.
	const step = detail ? "no step seen" : "no step";
	const since_s = Math.max(status.last_step_s ?? 0, phase_since_s);
	const silent_s = now_s - Math.max(since_s, status.last_value_s ?? 0);
	return [
		now_s - since_s > patience(status, silence)
			? `${step} for ${duration(now_s - since_s)}`
			: isSilent(status, silent_s, silence)
				? `silent for ${duration(silent_s)}`
				: "",
		now_s - sent_s > silence.kernel_s
			? `no news for ${duration(now_s - sent_s)}`
			: "",
	].filter(Boolean);
}

/**
 * How long a step may take before it is missed; for ever where none is to come.
 * @param {Status} status
 * @param {Silence} silence
 */
function patience(status, { step_times, step_s }) {
	const { usual_step_s } = status;
	if (!expectsStep(status) || usual_step_s === null) return Infinity;
	return Math.max(step_s, step_times * usual_step_s);
}

/** @param {Status} status */
const expectsStep = ({ phase, step, total_steps }) =>
	phase === "training" &&
	!(total_steps !== null && step !== null && step >= total_steps);

/**
 * Whether nothing at all has come for so long that a rank would be missed.
 * @param {Status} status
 * @param {number} silent_s
 * @param {Silence} silence
 */
const isSilent = (status, silent_s, { rank_s }) =>
	expectsStep(status) && status.usual_step_s === null && silent_s > rank_s;

/**
 * @param {Status} status
 * @param {number} now_s
 * @param {boolean} gone
 * @param {boolean} over
 * @param {string[]} troubles
 */
function pill(status, now_s, gone, over, troubles) {
	const { phase, phase_since_s, begun_s } = status;
	if (over) return `${phase} after ${duration(phase_since_s - begun_s)}`;
	if (gone) return `${phase} · kernel gone`;
	if (troubles.length) return [phase, ...troubles].join(" · ");
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
		hidden: !status.stoppable || ended(status),
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
