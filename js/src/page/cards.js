import { count, number } from "../base/format.js";
import { shownNames } from "../base/names.js";
import { NONFINITE_NAMES } from "../curve/curve.js";

/** @import { Store } from "../data/store.js" */
/** @import { MetricInfo } from "../protocol" */

/**
 * `name` is whole, `label` as long as there is room.
 * @typedef {{
 *   name: string, label: string, value: string, note: string, alarm: boolean,
 * }} Card
 */

/**
 * What a metric comes to; see `Summaries`.
 * @typedef {{
 *   info: MetricInfo, newest: number, best: number, bestStep: number,
 *   median: number, change: number, odd: number[],
 * }} Sum
 */

const PARTS = 6;
const NAME_LENGTH = 20;

/**
 * The newest value of each main metric, with what it is to be compared with.
 * @param {Pick<Store, "head" | "summaries">} store
 * @returns {Card[]}
 */
export function cards({ head, summaries }) {
	const sums = head.metrics.flatMap((info) => {
		const numbers = summaries.get(info.name);
		return numbers && Number.isFinite(numbers[1]) ? [sumOf(info, numbers)] : [];
	});
	const least = summaries.size < head.metrics.length;
	const shown = chosen(sums);
	const names = shown.map(({ info }) => nameOf(info));
	const short = shownNames(names, NAME_LENGTH);
	return [
		...shown.map((sum, i) => card(sum, names[i], short(names[i]))),
		...nonfiniteCards(sums, least),
	];
}

/**
 * @param {MetricInfo} info
 * @param {number[]} numbers
 * @returns {Sum}
 */
function sumOf(info, [newest, , best, bestStep, , median, change, ...odd]) {
	return { info, newest, best, bestStep, median, change, odd };
}

/** @param {Sum[]} sums */
function chosen(sums) {
	/** @param {string} panel @param {number} most */
	const of = (panel, most) =>
		sums.filter(({ info }) => info.panel === panel).slice(0, most);
	return [
		...of("loss", 1),
		...of("parts", PARTS),
		...of("lr", 1),
		...of("grad_norm", 1),
		...of("throughput", 2),
		...of("evaluation", 2),
	];
}

/** @param {MetricInfo} info */
const nameOf = ({ name, label }) => label || name;

/**
 * @param {Sum} sum
 * @param {string} name
 * @param {string} label
 * @returns {Card}
 */
function card(sum, name, label) {
	const { info, newest } = sum;
	return {
		name: withUnit(name, info.unit),
		label: withUnit(label, info.unit),
		value: number(newest),
		note: note(sum),
		alarm: !Number.isFinite(newest),
	};
}

/**
 * @param {string} name
 * @param {string} unit
 */
const withUnit = (name, unit) => (unit ? `${name} [${unit}]` : name);

/** @param {Sum} sum */
function note({ info, best, bestStep, median, change }) {
	if (info.panel === "parts") return trend(change);
	if (info.panel === "loss" || info.panel === "evaluation") {
		if (Number.isNaN(best)) return "";
		const at = Number.isNaN(bestStep) ? "" : ` @ ${count(bestStep)}`;
		return `best ${number(best)}${at}`;
	}
	return Number.isNaN(median) ? "" : `median ${number(median)}`;
}

/**
 * How the newest values compare with those before.
 * @param {number} change as a share; NaN for too few values
 */
export function trend(change) {
	if (Number.isNaN(change)) return "";
	const percent = 100 * change;
	const arrow = Math.abs(percent) < 1 ? "→" : percent > 0 ? "↗" : "↘";
	return `${arrow} ${percent > 0 ? "+" : ""}${percent.toFixed(0)} %`;
}

/**
 * @param {Sum[]} sums
 * @param {boolean} least whether there are metrics whose sums are not here
 * @returns {Card[]}
 */
function nonfiniteCards(sums, least) {
	const kinds = NONFINITE_NAMES.map((kind, i) => ({
		kind,
		times: sums.reduce((total, { odd }) => total + odd[i], 0),
	})).filter(({ times }) => times);
	if (!kinds.length) return [];
	const total = kinds.reduce((sum, { times }) => sum + times, 0);
	return [
		{
			name: "not finite",
			label: "not finite",
			value: `${least ? "≥ " : ""}${count(total)}`,
			note: kinds
				.map(({ kind, times }) => `${count(times)} ${kind}`)
				.join(" · "),
			alarm: true,
		},
	];
}
