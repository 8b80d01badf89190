import { describe, expect, it } from "vitest";
import { head } from "../../test/samples.js";
import { initialChoice } from "../data/choice.js";
import { arrange, PANELS } from "./index.js";

/** @import { SectionPlan } from "./index.js" */

/** @param {string} name @param {string} panel */
const info = (name, panel) => ({
	...head().metrics[0],
	name,
	label: name,
	panel,
});

/**
 * @param {[string, string][]} metrics name and panel
 * @param {string} [parameter]
 */
const sections = (metrics, parameter = "") =>
	arrange(
		metrics.map(([name, panel]) => info(name, panel)),
		{ ...initialChoice(), parameter },
	);

/** @param {SectionPlan[]} plans */
const charts = (plans) =>
	plans.flatMap((section) =>
		section.charts.map(({ panel, plan }) => `${panel.id}: ${plan.key}`),
	);

/** @param {number} count @param {string} prefix @param {string} panel */
const many = (count, prefix, panel) =>
	Array.from(
		{ length: count },
		(_, i) => /** @type {[string, string]} */ ([`${prefix}${i}`, panel]),
	);

describe("arrange", () => {
	it("puts the loss first, the learning rate under it, then a panel for each part", () => {
		const plans = sections([
			["lr", "lr"],
			["loss/ce", "parts"],
			["loss", "loss"],
			["loss/bbox", "parts"],
		]);
		expect(charts(plans)).toEqual([
			"loss: loss",
			"lr: lr",
			"parts: loss/ce",
			"parts: loss/bbox",
		]);
	});

	it("titles charts so that they can be told apart", () => {
		const names = ["a", "b"].map((end) => "x".repeat(299) + end);
		const all = ["", "lr ", ...names];
		const plans = sections(all.map((name) => [name, "other"]));
		const titles = plans[0].charts.map(({ plan }) => plan.label);
		expect(titles.slice(0, 2)).toEqual(['""', "lr␣"]);
		expect(new Set(titles).size).toBe(4);
		expect(titles.every(({ length }) => length < 40)).toBe(true);
		expect(plans[0].charts.map(({ plan }) => plan.key).slice(2)).toEqual(names);
	});

	it("draws together what the user has put together, in the open", () => {
		const [section] = sections([
			["loss/a", "mine"],
			["b", "mine"],
		]);
		expect(section.title).toBe("mine");
		expect(section.folded).toBe(false);
		const [{ plan }] = section.charts;
		expect([plan.label, plan.metrics.length]).toEqual(["mine", 2]);
	});

	it("draws the loss of evaluations in the panel of the loss", () => {
		const [lead] = sections([
			["loss", "loss"],
			["eval/loss", "loss"],
		]);
		expect(lead.charts.length).toBe(1);
		expect(lead.charts[0].plan.metrics.map(({ name }) => name)).toEqual([
			...["loss", "eval/loss"],
		]);
	});

	it("groups what has no panel by the first part of its name", () => {
		const names = ["train/a", "own", "val/b", "train/c"];
		const plans = sections(names.map((name) => [name, "other"]));
		expect(plans.map(({ title, charts }) => [title, charts.length])).toEqual([
			...[
				["train", 2],
				["other metrics", 1],
				["val", 1],
			],
		]);
	});

	it("folds all but what leads", () => {
		const metrics = [...many(2000, "x", "other"), ...many(3, "lr/", "lr")];
		const plans = sections([["loss", "loss"], ...metrics]);
		expect(
			plans.map(({ id, folded, charts }) => [id, folded, charts.length]),
		).toEqual([
			["", false, 2],
			["other", true, 2000],
		]);
		const [first, second] = sections(
			metrics.slice(0, 1).concat([["a/b", "other"]]),
		);
		expect([first.folded, second.folded]).toEqual([false, true]);
	});

	it("draws all layers in one panel", () => {
		const plans = sections(many(300, "grad_norm/", "layers"));
		expect(charts(plans)).toEqual(["layers: grad_norm/*"]);
		expect(plans[0].charts[0].plan.metrics.length).toBe(300);
	});

	const known = /** @type {[string, string][]} */ (
		["a", "层/[x] <i>/p5"].flatMap((parameter) => [
			[`weight_q/${parameter}/p95`, "distributions"],
			[`weight_q/${parameter}/min`, "distributions"],
			[`weight_std/${parameter}`, "distributions"],
		])
	);

	it("draws one chart a kind, of the chosen parameter", () => {
		const plans = sections(known, "层/[x] <i>/p5");
		expect(charts(plans)).toEqual([
			"distributions: weight_q",
			"distributions: weight_std",
		]);
		const [bands] = plans[0].charts;
		expect(bands.plan.metrics.map(({ name }) => name)).toEqual([
			"weight_q/层/[x] <i>/p5/min",
			"weight_q/层/[x] <i>/p5/p95",
		]);
	});

	it("draws the first parameter while none, or one that is gone, is chosen", () => {
		const [{ charts }] = sections(known, "gone");
		expect(charts[1].plan.metrics[0].name).toBe("weight_std/a");
	});

	it("does not hide a quantile that nobody knows", () => {
		const plans = sections([
			...known,
			["weight_q/a/p42", "distributions"],
			["weight_q/a", "distributions"],
		]);
		expect(charts(plans).slice(2)).toEqual([
			"distributions: weight_q/a/p42",
			"distributions: weight_q/a",
		]);
	});
});

it("gives each panel an id of its own", () => {
	expect(new Set(PANELS.map(({ id }) => id)).size).toBe(PANELS.length);
});
