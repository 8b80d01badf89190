import { describe, expect, it } from "vitest";
import { head, rows } from "../../test/samples.js";
import { summedRows } from "../data/summed.js";
import { cards, trend } from "./cards.js";

/** @param {number[]} values @param {string} [panel] */
function shown(values, panel = "loss") {
	const [info] = head().metrics;
	const summaries = new Map([
		["loss", summedRows(rows(values), "loss", "lower")],
	]);
	return cards({ head: head({ metrics: [{ ...info, panel }] }), summaries });
}

describe("cards", () => {
	it("shows the newest value and the best with its step", () => {
		expect(shown([3, 1, 2])).toEqual([
			{
				name: "loss",
				label: "loss",
				value: "2",
				note: "best 1 at step 2",
				alarm: false,
			},
		]);
	});

	it("shows a NaN as NaN", () => {
		const [loss] = shown([1, Infinity, Number.NaN]);
		expect([loss.value, loss.alarm]).toEqual(["NaN", true]);
	});

	it("has the loss first, and at most four others", () => {
		const names = ["loss/a", "lr", "loss/b", "eval/acc", "loss", "loss/c"];
		const panels = ["parts", "lr", "parts", "evaluation", "loss", "parts"];
		const [info] = head().metrics;
		const metrics = names.map((name, i) => ({
			...{ ...info, name, label: name, panel: panels[i] },
		}));
		const summaries = new Map(
			names.map((name) => [name, summedRows(rows([1]), "loss", "lower")]),
		);
		const labels = cards({ head: head({ metrics }), summaries });
		expect(labels.map(({ name }) => name)).toEqual([
			...["loss", "eval/acc", "lr", "loss/a", "loss/b"],
		]);
	});

	it("compares the learning rate with its median, a part of the loss with before", () => {
		expect(shown([1, 2, 9], "lr")[0].note).toBe("median 2");
		const rising = Array.from({ length: 100 }, (_, i) => i);
		expect(shown(rising, "parts")[0].note).toBe("↗ +12 %");
	});

	it("has none of a metric without a value, or that the kernel has not told of", () => {
		expect(shown([])).toEqual([]);
		expect(cards({ head: head(), summaries: new Map() })).toEqual([]);
	});
});

describe("trend", () => {
	it("says that values rise, fall or stay", () => {
		expect([0.5, -0.25, 0.001].map(trend)).toEqual([
			"↗ +50 %",
			"↘ -25 %",
			"→ +0 %",
		]);
	});

	it("says nothing of a few values", () => {
		expect(trend(Number.NaN)).toBe("");
	});
});
