import { describe, expect, it } from "vitest";
import { Floats } from "../base/floats.js";
import { Smooth, START } from "./smooth.js";

/** @param {number[]} values @param {number} weight */
function smooth(values, weight) {
	const series = new Floats();
	series.append(values);
	const average = new Smooth(weight, START);
	average.extend(series);
	return [...average.values.view()];
}

describe("Smooth", () => {
	it("begins at the first value instead of near zero", () => {
		expect(smooth([5, 5, 5], 0.9)).toEqual(
			[5, 5, 5].map((v) => expect.closeTo(v)),
		);
	});

	it.each([0.1, 1e-5, 2.7e300, -3])(
		"keeps a constant %d to the last bit",
		(value) => {
			const values = Array(5000).fill(value);
			expect(new Set(smooth(values, 0.97))).toEqual(new Set([value]));
		},
	);

	it("weighs the past as the formula says", () => {
		expect(smooth([1, 0], 0.5)[1]).toBeCloseTo(0.25 / 0.75);
	});

	it("never changes the past when new values come", () => {
		const values = [3, 1, 4, 1, 5, 9, 2, 6];
		expect(smooth(values, 0.7).slice(0, 5)).toEqual(
			smooth(values.slice(0, 5), 0.7),
		);
	});

	it("goes on unharmed after NaN and infinity", () => {
		const [, nan, inf, after] = smooth([2, Number.NaN, Infinity, 2], 0.8);
		expect([nan, inf, after]).toEqual([2, 2, 2].map((v) => expect.closeTo(v)));
	});

	it("has no value before the first finite one", () => {
		expect(smooth([Number.NaN, 1], 0.5)[0]).toBeNaN();
	});

	it("begins anew where another line does, also when that is learnt late", () => {
		const series = new Floats();
		series.append([9, 9, 1, 1]);
		const average = new Smooth(0.9, START);
		average.extend(series, [0, 2]);
		expect([...average.values.view()]).toEqual(
			[9, 9, 1, 1].map((v) => expect.closeTo(v)),
		);
		expect(average.fits(0.9, START, [0, 2, 4])).toBe(true);
		expect(average.fits(0.9, START, [0, 3])).toBe(false);
	});

	it("computes only what is new", () => {
		const series = new Floats();
		series.append([1, 2, 3]);
		const average = new Smooth(0.6, START);
		average.extend(series);
		series.append([4, 5]);
		average.extend(series);
		expect([...average.values.view()]).toEqual(smooth([1, 2, 3, 4, 5], 0.6));
	});
});
