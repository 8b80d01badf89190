import { count, number } from "../base/format.js";
import { shownNames } from "../base/names.js";
import { search } from "../base/search.js";
import { counting } from "../curve/counting.js";
import { NONFINITE_NAMES } from "../curve/nonfinite.js";
import { column, holdings, mainTrack } from "../data/tracks.js";

/** @import { Piece } from "../curve/pieces.js" */
/** @import { Segment } from "../data/segment.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Head, MetricInfo } from "../protocol" */

/**
 * `name` is whole, `label` as long as there is room.
 * @typedef {{
 *   name: string, label: string, value: string, note: string, alarm: boolean,
 * }} Card
 */

/** Values that the median and the trend look back on. */
const RECENT = 1000;
const PARTS = 6;
const NAME_LENGTH = 20;

/**
 * The newest value of each main metric, with what it is to be compared with.
 * @param {Store} store
 * @returns {Card[]}
 */
export function cards({ head, history: { segments } }) {
	const metrics = ofMain(head);
	const shown = chosen(metrics);
	const leading = leadingOf(head, segments);
	const short = shownNames(
		shown.map(({ label }) => label),
		NAME_LENGTH,
	);
	const known = shown.flatMap((info) =>
		card(info, short(info.label), segments, leading),
	);
	return [...known, ...nonfiniteCards(metrics, segments)];
}

/**
 * The metrics of the track that speaks for the run, named as their columns.
 * @param {Head} head
 */
function ofMain(head) {
	const main = mainTrack(head);
	if (!main) return [];
	return head.metrics.map((info) => ({
		...info,
		name: column(main.id, info.name),
		label: info.label || info.name,
	}));
}

/**
 * The column that has most values of the track that speaks for the run.
 * @param {Head} head
 * @param {Segment[]} segments
 */
function leadingOf(head, segments) {
	const id = mainTrack(head)?.id ?? "";
	const counts = [...(holdings(segments).get(id) ?? [])].map(
		([metric, held]) => ({
			name: column(id, metric),
			values: held.reduce((sum, { series }) => sum + series.values.length, 0),
		}),
	);
	counts.sort((a, b) => b.values - a.values);
	return counts[0]?.name ?? "";
}

/** @param {MetricInfo[]} metrics */
function chosen(metrics) {
	/** @param {string} panel @param {number} most */
	const of = (panel, most) =>
		metrics.filter((info) => info.panel === panel).slice(0, most);
	return [
		...of("loss", 1),
		...of("parts", PARTS),
		...of("lr", 1),
		...of("grad_norm", 1),
		...of("throughput", 2),
		...of("evaluation", 2),
	];
}

/**
 * @param {MetricInfo} info
 * @param {string} label
 * @param {Segment[]} segments
 * @param {string} leading see `counting`
 * @returns {Card[]}
 */
function card(info, label, segments, leading) {
	const last = segments.findLast((segment) => segment.series.has(info.name));
	const values = last && ofThisAttempt(last, info.name);
	if (!values?.length) return [];
	const value = values[values.length - 1];
	// An envelope has more of the extremes than the run had.
	const known = last?.reduced ? [] : values.slice(-RECENT);
	const recent = Float64Array.from(known).filter(Number.isFinite);
	return [
		{
			name: withUnit(info.label, info.unit),
			label: withUnit(label, info.unit),
			value: number(value),
			note: note(info, segments, recent, leading),
			alarm: !Number.isFinite(value),
		},
	];
}

/**
 * @param {string} name
 * @param {string} unit
 */
const withUnit = (name, unit) => (unit ? `${name} [${unit}]` : name);

/**
 * What an earlier attempt logged, below row 0, is no news.
 * @param {Segment} segment
 * @param {string} name
 */
function ofThisAttempt({ rows, series }, name) {
	const held = series.get(name);
	const values = held?.values.view() ?? new Float64Array();
	return values.subarray(
		search(values.length, (i) => rows.data[held?.row(i) ?? 0] >= 0),
	);
}

/**
 * @param {MetricInfo} info
 * @param {Segment[]} segments
 * @param {Float64Array} recent finite values
 * @param {string} leading
 */
function note(info, segments, recent, leading) {
	if (info.panel === "parts") return trend(recent);
	if (info.panel === "loss" || info.panel === "evaluation") {
		return best(info, segments, leading);
	}
	return recent.length ? `median ${number(median(recent))}` : "";
}

/**
 * Compares the newest tenth of the recent values with the tenth before.
 * @param {Float64Array} recent
 */
export function trend(recent) {
	const tenth = Math.floor(recent.length / 10);
	if (tenth < 3) return "";
	const now = median(recent.slice(-tenth));
	const before = median(recent.slice(-2 * tenth, -tenth));
	if (!before) return "";
	const change = (100 * (now - before)) / Math.abs(before);
	const arrow = Math.abs(change) < 1 ? "→" : change > 0 ? "↗" : "↘";
	return `${arrow} ${change > 0 ? "+" : ""}${change.toFixed(0)} % / ${tenth} values`;
}

/** @param {Float64Array} values */
function median(values) {
	return values.slice().sort()[values.length >> 1];
}

/**
 * @param {MetricInfo} info
 * @param {Segment[]} segments
 * @param {string} leading
 */
function best({ name, better }, segments, leading) {
	const extremes = counting(segments, name, leading).flatMap((piece) =>
		bestOf(piece, better === "higher"),
	);
	if (!extremes.length || !better) return "";
	const sign = better === "higher" ? -1 : 1;
	const [value, step] = extremes.reduce((a, b) =>
		sign * b[0] < sign * a[0] ? b : a,
	);
	return `best ${number(value)} @ ${count(step)}`;
}

/**
 * @param {Piece} piece
 * @param {boolean} highest
 * @returns {[number, number][]} value and step
 */
function bestOf({ segment, series, from, to }, highest) {
	const { values, pyramid } = series;
	const extremes = pyramid.extremes(values.data, from, to);
	const index = extremes[highest ? 1 : 0];
	if (index < 0) return [];
	return [[values.data[index], segment.steps.data[series.row(index)]]];
}

/**
 * @param {MetricInfo[]} metrics
 * @param {Segment[]} segments
 * @returns {Card[]}
 */
function nonfiniteCards(metrics, segments) {
	const kinds = NONFINITE_NAMES.map((kind) => ({
		kind,
		times: occurrences(kind, metrics, segments),
	})).filter(({ times }) => times);
	if (!kinds.length) return [];
	const total = kinds.reduce((sum, { times }) => sum + times, 0);
	const least = segments.some(({ reduced }) => reduced) ? "≥ " : "";
	return [
		{
			name: "not finite",
			label: "not finite",
			value: least + count(total),
			note: kinds
				.map(({ kind, times }) => `${count(times)} ${kind}`)
				.join(" · "),
			alarm: true,
		},
	];
}

/**
 * @param {string} kind
 * @param {MetricInfo[]} metrics
 * @param {Segment[]} segments
 */
const occurrences = (kind, metrics, segments) =>
	segments
		.flatMap(({ series }) =>
			metrics.map(
				({ name }) => series.get(name)?.nonfinite.get(kind)?.length ?? 0,
			),
		)
		.reduce((sum, n) => sum + n, 0);
