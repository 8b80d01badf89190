import { describe, expect, it } from "vitest";
import { head, rows } from "../../test/samples.js";
import { summedRows } from "../data/summed.js";
import { largestMetrics } from "./largest.js";

/** @param {Record<string, number[]>} curves */
function led(curves) {
	const metrics = Object.keys(curves).map((name) => ({
		...head().metrics[0],
		name,
		label: name,
	}));
	const summed = Object.entries(curves).map(
		([name, values]) =>
			/** @type {const} */ ([name, summedRows(rows(values), "loss", "")]),
	);
	return largestMetrics(metrics, new Map(summed)).map(({ label }) => label);
}

/** @param {number} count */
const steady = (count) =>
	Object.fromEntries(
		Array.from({ length: count }, (_, i) => [`${i}`, Array(3).fill(i + 1)]),
	);

describe("largestMetrics", () => {
	it("takes all of a few", () => {
		expect(led(steady(8)).length).toBe(8);
	});

	it("takes the largest, in their own order", () => {
		const moved = led({ ...steady(20), small: [1e-3, 5e-3, 5e-3] });
		expect(moved).toEqual([
			...["13", "14", "15", "16", "17", "18", "19"],
			"small · moved most",
		]);
	});

	it.each([
		["zero", 0],
		["NaN", Number.NaN],
	])("never leaves out what has become %s", (_, last) => {
		const odd = led({ odd: [1, last, last], ...steady(20) });
		expect(odd.join()).toContain("odd");
	});

	it("is content with layers that never had a gradient", () => {
		const zeros = Object.fromEntries(
			Array.from({ length: 9 }, (_, i) => [`${i}`, [0, 0]]),
		);
		expect(led(zeros).length).toBe(8);
	});
});
