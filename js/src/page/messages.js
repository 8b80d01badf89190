import { count, duration } from "../base/format.js";
import { NONFINITE_NAMES } from "../curve/curve.js";
import { ended } from "../data/store.js";
import { mainTrack, shownTracks } from "../data/tracks.js";
import { isSilent } from "./track_rows.js";

/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { AlertInfo, Head, Track } from "../protocol" */

/** @typedef {AlertInfo["severity"]} Severity */

/**
 * Where a message leads: to a step, a metric's panel, or tracks to be shown.
 * @typedef {{alert?: AlertInfo, metric?: string, tracks?: string[]}} Goal
 *
 * What a reader should know: `text` in a line, `place` where, `more` what else.
 * @typedef {{
 *   severity: Severity, text: string, place: string, more: string, goal: Goal,
 * }} Message
 */

/** Ranks that are named; of more their number is told. */
const NAMED = 3;
/** @type {Severity[]} */
const ORDER = ["error", "warning", "info"];

/**
 * All that a reader should know beside the curves, the worst first, then the newest.
 * @param {Store} store
 * @param {Choice} choice
 * @param {number} now_s on the kernel's clock
 * @param {string[]} own what the page itself has to say
 * @returns {Message[]}
 */
export function messages(store, choice, now_s, own) {
	const { head } = store;
	const all = [
		...endOf(head),
		...nonfinite(store, choice),
		...ranks(head, now_s),
		...alertsOf(head),
		...own.map((text) => message("info", text)),
		...head.notices.toReversed().map((text) => message("info", text)),
	];
	return ORDER.flatMap((severity) =>
		all.filter((one) => one.severity === severity),
	);
}

/**
 * @param {Severity} severity
 * @param {string} text
 * @param {Goal} [goal]
 * @param {string} [place]
 * @param {string} [more]
 * @returns {Message}
 */
const message = (severity, text, goal = {}, place = "", more = "") => ({
	...{ severity, text, place, more, goal },
});

/**
 * How a run ended that did not finish; of a traceback the last line comes first.
 * @param {Head} head
 * @returns {Message[]}
 */
function endOf({ status: { phase, step, detail } }) {
	if (!["failed", "lost", "stopped"].includes(phase)) return [];
	const severity = phase === "stopped" ? "info" : "error";
	const lines = detail.split("\n").filter((line) => line.trim());
	const reason = lines.at(-1) ?? (phase === "failed" ? "unknown reason" : "");
	const place = step === null ? "" : `step ${count(step)}`;
	const text = [phase, reason].filter(Boolean).join(": ");
	return [message(severity, text, {}, place, lines.slice(0, -1).join("\n"))];
}

/**
 * What is not finite: of the track that is looked at all, of others what is here.
 * @param {Store} store
 * @param {Choice} choice
 * @returns {Message[]}
 */
function nonfinite({ head, summaries, cache }, choice) {
	const main = mainTrack(head);
	const own = head.metrics.flatMap(({ name, label }) => {
		const numbers = summaries.get(name);
		const odd = numbers?.slice(-3) ?? [];
		if (!numbers || !odd.some(Boolean)) return [];
		const [newest, at] = numbers;
		const isNow = Number.isFinite(at) && !Number.isFinite(newest);
		const kinds = odd.flatMap((n, i) =>
			n ? `${count(n)} ${NONFINITE_NAMES[i]}` : [],
		);
		const text = `${label || name} ${isNow ? "is" : "was"} not finite`;
		const severity = isNow ? "error" : "warning";
		return [message(severity, text, { metric: name }, "", kinds.join(" · "))];
	});
	const others = shownTracks(head, choice).filter(
		(track) =>
			track !== main &&
			!track.odd &&
			["", "median", "mean"].includes(track.stat) &&
			cache.find(track.id, "loss", "step")?.held?.header.nonfinite,
	);
	return [
		...own,
		...others.map(({ id, label }) =>
			message("warning", `loss of ${label} is not finite`, {
				...{ metric: "loss", tracks: [id] },
			}),
		),
	];
}

/** Whether the newest value of anything is not finite. @param {Message[]} told */
export const isOdd = (told) =>
	told.some(({ goal, severity }) => goal.metric && severity === "error");

/** Whether a rank needs a look. @param {Message[]} told */
export const hasRanks = (told) => told.some(({ goal }) => goal.tracks);

/**
 * Ranks of the run that is looked at that do not go on as it does.
 * @param {Head} head
 * @param {number} now_s
 * @returns {Message[]}
 */
function ranks(head, now_s) {
	const { status, tracks, silence, run } = head;
	const own = tracks.filter((track) => track.run === run.name && !track.stat);
	if (ended(status) || own.length < 2) return [];
	const heard_s = now_s - silence.rank_s;
	/** @param {Severity} severity @param {string} word @param {(track: Track) => boolean} is */
	const kind = (severity, word, is) => {
		const some = own.filter(is);
		if (!some.length) return [];
		const text = `${names(some, own.length)} ${word}`;
		const goal = { tracks: some.slice(0, NAMED).map(({ id }) => id) };
		return [message(severity, text, goal, since(some, now_s, word))];
	};
	/** @param {string} phase */
	const phase = (phase) => (/** @type {Track} */ track) =>
		track.phase === phase;
	return [
		...kind("error", "failed", phase("failed")),
		...kind("error", "lost", phase("lost")),
		...unlike(own),
		...kind("warning", "stopped", phase("stopped")),
		...kind("warning", "silent", (track) => isSilent(track, heard_s)),
	];
}

/**
 * Ranks that are unlike the others, in the words of the kernel.
 * @param {Track[]} own
 */
function unlike(own) {
	const odd = own.filter((track) => track.odd);
	const more = odd.length - NAMED;
	const named = odd
		.slice(0, NAMED)
		.map(({ id, rank, odd }) =>
			message("warning", `rank ${rank}: ${odd}`, { tracks: [id] }),
		);
	if (more <= 0) return named;
	const rest = odd.slice(NAMED);
	const text = `${names(rest, own.length)} are unlike the others`;
	const goal = { tracks: rest.slice(0, NAMED).map(({ id }) => id) };
	return [...named, message("warning", text, goal)];
}

/**
 * @param {Track[]} some
 * @param {number} all
 */
function names(some, all) {
	if (some.length === all) return `all ${all} ranks`;
	const numbers = some.slice(0, NAMED).map(({ rank }) => rank);
	const more = some.length - numbers.length;
	const rest = more ? ` and ${count(more)} more` : "";
	return `rank${some.length > 1 ? "s" : ""} ${numbers.join(", ")}${rest}`;
}

/**
 * For how long, or where.
 * @param {Track[]} some
 * @param {number} now_s
 * @param {string} word
 */
function since([{ step, last_value_s }], now_s, word) {
	if (word === "silent") return `for ${duration(now_s - Number(last_value_s))}`;
	return step === null ? "" : `step ${count(step)}`;
}

/**
 * Those of several ranks come in any order.
 * @param {Head} head
 * @returns {Message[]}
 */
function alertsOf({ alerts, alert_count, tracks }) {
	const where = places(alerts, tracks);
	const left = alert_count - alerts.length;
	return [
		...[...alerts]
			.reverse()
			.sort((a, b) => b.wall_time_s - a.wall_time_s)
			.map((alert) =>
				message(
					...[alert.severity, alert.message, { alert }],
					...[where(alert), alert.advice],
				),
			),
		...(left > 0
			? [message("info", `${count(left)} older alerts are in run.alerts`)]
			: []),
	];
}

/**
 * Says where alerts were: of several runs each is named, of several ranks each rank.
 * @param {AlertInfo[]} held
 * @param {Track[]} tracks
 * @returns {(alert: AlertInfo) => string}
 */
function places(held, tracks) {
	const runs = tracks.some(({ run }) => run !== tracks[0].run);
	const ranks = held.some(({ rank }) => rank !== held[0].rank);
	return ({ rank, step, track }) => {
		const label = runs && tracks.find(({ id }) => id === track)?.label;
		const whose = label || (ranks ? `rank ${rank}` : "");
		return [whose, `step ${count(step)}`].filter(Boolean).join(", ");
	};
}
