import { count, number } from "../base/format.js";
import { shownNames } from "../base/names.js";

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
 *   median: number, change: number,
 * }} Sum
 */

/** So many small ones stand beside the large one. */
const SMALL = 4;
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
	const shown = chosen(sums);
	const names = shown.map(({ info }) => nameOf(info));
	const short = shownNames(names, NAME_LENGTH);
	return shown.map((sum, i) => card(sum, names[i], short(names[i])));
}

/**
 * @param {MetricInfo} info
 * @param {number[]} numbers
 * @returns {Sum}
 */
function sumOf(info, [newest, , best, bestStep, , median, change]) {
	return { info, newest, best, bestStep, median, change };
}

/**
 * The loss, and of what else matters the first of each kind.
 * @param {Sum[]} sums
 */
function chosen(sums) {
	/** @param {string} panel */
	const of = (panel) => sums.filter(({ info }) => info.panel === panel);
	const [loss, ...losses] = of("loss");
	const kinds = ["evaluation", "lr", "throughput", "grad_norm"];
	const firsts = [losses, ...kinds.map(of)].flatMap((own) => own.slice(0, 1));
	const small = [...firsts, ...of("parts"), ...of("other")].slice(0, SMALL);
	return [...(loss ? [loss] : []), ...small];
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
	if (!["loss", "evaluation"].includes(info.panel))
		return Number.isNaN(median) ? "" : `median ${number(median)}`;
	const at = Number.isNaN(bestStep) ? "" : ` at step ${count(bestStep)}`;
	return [trend(change), Number.isNaN(best) ? "" : `best ${number(best)}${at}`]
		.filter(Boolean)
		.join(" · ");
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
