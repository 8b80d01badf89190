import { describe, expect, it } from "vitest";
import { logSpanOf, spanOf } from "./span.js";

/** @param {number[]} y */
const curve = (y) => ({
	x: Float64Array.from(y.keys()),
	y: Float64Array.from(y),
});

/** @param {number[][]} curves */
const span = (...curves) => spanOf(curves.map(curve), false);

/** Falls from 3 to 2. */
const falling = Array.from({ length: 101 }, (_, i) => 3 - i / 100);

describe("a span that is only rounding", () => {
	it.each([
		[Array(50).fill(0.3), [0.27, 0.33]],
		[
			[1, 1 + 1e-14, 1 - 1e-14],
			[0.9, 1.1],
		],
		[
			[-2e-5, -2e-5],
			[-2.2e-5, -1.8e-5],
		],
		[
			[0, 0],
			[-0.5, 0.5],
		],
		[[7], [6.3, 7.7]],
	])("is drawn as flat (%#)", (y, range) => {
		const { range: seen, outliers } = span(y);
		const [low, high] = seen ?? [];
		expect(low).toBeCloseTo(range[0], 8);
		expect(high).toBeCloseTo(range[1], 8);
		expect(outliers).toEqual([]);
	});

	it("stays finite at the end of the numbers", () => {
		const [low, high] = span([1.7e308, 1.7e308]).range ?? [];
		expect([Number(low) / 1.53e308, high]).toEqual([
			expect.closeTo(1),
			Number.MAX_VALUE,
		]);
	});

	it("is so on a log axis, too", () => {
		const { range } = logSpanOf([curve([0.1, 0.1 + 1e-15])]);
		expect(range?.map((decade) => 10 ** decade)).toEqual(
			[0.05, 0.2].map((end) => expect.closeTo(end)),
		);
		expect(logSpanOf([curve([0.1, 0.2])]).range).toBeNull();
	});
});

describe("a curve that moves", () => {
	it.each([[falling], [[1, 1 + 1e-7]], [[Number.NaN, Infinity, 1, 2]], [[]]])(
		"is left to Plotly (%#)",
		(y) => {
			expect(span(y)).toEqual({ range: null, outliers: [] });
		},
	);

	it("is left to Plotly where its axis has zero on it", () => {
		expect(spanOf([curve([5, 5, 5])], true).range).toBeNull();
	});
});

describe("a first value out of all proportion", () => {
	it("is outside of the picture, which shows the others", () => {
		const { range, outliers } = span([1e6, ...falling]);
		expect(outliers).toEqual([{ x: 0, y: 1e6 }]);
		expect(range).toEqual([1.94, 3.06].map((end) => expect.closeTo(end)));
	});

	it("may be followed by another, and be below", () => {
		expect(span([-1e6, 5e3, ...falling]).outliers.map(({ y }) => y)).toEqual([
			-1e6, 5e3,
		]);
	});

	it("is outside of a constant", () => {
		const { range, outliers } = span([1e6, ...Array(20).fill(2)]);
		expect([outliers.length, range]).toEqual([1, [1.8, 2.2]]);
	});

	it("may be that of one of several curves", () => {
		expect(span(falling, [1e6, ...falling]).outliers.length).toBe(1);
	});

	it("leaves zero on an axis that has it", () => {
		const { range } = spanOf([curve([1e6, ...falling])], true);
		expect(range).toEqual([0, expect.closeTo(3.06)]);
	});
});

describe("other large values", () => {
	it.each([
		["a spike later on", [...falling, 1e6, ...falling]],
		["a steep begin", falling.map((y, i) => y + 30 * 0.7 ** i)],
		["one of few values", [1e6, 3, 2, 1]],
		["a value that is seen well", [20, ...falling]],
	])("are in the picture: %s", (_, y) => {
		expect(span(y)).toEqual({ range: null, outliers: [] });
	});
});
