import { describe, expect, it } from "vitest";
import { chunk, head } from "../../test/samples.js";
import { createStore } from "../data/store.js";
import { cards, trend } from "./cards.js";

/** @param {number[]} values */
function shown(values) {
	const store = createStore(head());
	store.history.add(chunk(0, values));
	return cards(store);
}

describe("cards", () => {
	it("shows the newest value and the best with its step", () => {
		expect(shown([3, 1, 2])).toEqual([
			{
				name: "loss",
				label: "loss",
				value: "2",
				note: "best 1 @ 2",
				alarm: false,
			},
		]);
	});

	it("shows a NaN as NaN and counts the values that are not finite", () => {
		const [loss, nonfinite] = shown([1, Infinity, Number.NaN]);
		expect([loss.value, loss.alarm]).toEqual(["NaN", true]);
		expect([nonfinite.label, nonfinite.value, nonfinite.note]).toEqual([
			"not finite",
			"2",
			"1 NaN · 1 +Inf",
		]);
	});
});

describe("of a run that was resumed", () => {
	/** @param {import("../data/frames.js").Chunk[]} chunks */
	function resumed(...chunks) {
		const store = createStore(head());
		for (const part of chunks) store.history.add(part);
		return cards(store);
	}

	it("has no newest value before this attempt has one", () => {
		expect(resumed(chunk(-3, [3, 1, 2]))).toEqual([]);
	});

	it("takes the best of the attempts that count", () => {
		const again = { ...chunk(0, [5, 4]), steps: Float64Array.of(-1, 0) };
		expect(resumed(chunk(-4, [9, 8, 1, 2]), again)).toMatchObject([
			{ value: "4", note: "best 4 @ 0" },
		]);
	});

	it("takes none of the steps that were trained again, if it was not", () => {
		const before = chunk(-4, [9, 8, 7, 6]);
		const accuracy = {
			positions: Float64Array.of(1, 3),
			values: Float64Array.of(0.5, 0.9),
		};
		before.columns.set("eval/accuracy", accuracy);
		const again = { ...chunk(0, [5, 4]), steps: Float64Array.of(-1, 0) };
		again.columns.set("eval/accuracy", {
			positions: Float64Array.of(0),
			values: Float64Array.of(0.4),
		});
		const store = createStore(head());
		store.head.metrics.push({
			name: "eval/accuracy",
			label: "",
			unit: "",
			better: "higher",
			panel: "evaluation",
		});
		for (const part of [before, again]) store.history.add(part);
		expect(cards(store)[1]).toMatchObject({
			value: "0.4",
			note: "best 0.5 @ -2",
		});
	});
});

it("does not take the median or the trend of an envelope", () => {
	const store = createStore(head());
	const values = Array.from({ length: 100 }, (_, i) => i);
	store.history.add({ ...chunk(0, values), reduced: true });
	for (const panel of ["grad_norm", "parts"]) {
		Object.assign(store.head.metrics[0], { panel });
		expect(cards(store)[0]).toMatchObject({ value: "99", note: "" });
	}
});

describe("trend", () => {
	it("says that values rise, fall or stay", () => {
		const rising = Float64Array.from({ length: 100 }, (_, i) => i);
		expect(trend(rising)).toMatch(/^↗ \+/);
		expect(trend(rising.reverse())).toMatch(/^↘ -/);
		expect(trend(rising.fill(5))).toMatch(/^→/);
	});

	it("says nothing of a few values", () => {
		expect(trend(Float64Array.of(1, 2, 3))).toBe("");
	});
});
