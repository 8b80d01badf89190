import { describe, expect, it } from "vitest";
import { curve } from "../../test/samples.js";
import { envelope, side } from "./envelope.js";

/** Buckets of ten steps: [number, low, high]. @param {[number, number, number][]} buckets */
const buckets = (buckets) =>
	curve(
		buckets.map(([, low, high]) => (low + high) / 2),
		{
			left: Float64Array.from(buckets, ([b]) => 10 * b),
			right: Float64Array.from(buckets, ([b]) => 10 * b + 10),
			low: Float64Array.from(buckets, ([, low]) => low),
			high: Float64Array.from(buckets, ([, , high]) => high),
		},
	);

describe("envelope", () => {
	it("steps at the edges of buckets, down the lowest and back the highest", () => {
		const { x, y } = envelope(
			buckets([
				[0, 1, 5],
				[1, 2, 3],
			]),
			false,
		);
		expect(x).toEqual([0, 10, 10, 20, 20, 10, 10, 0]);
		expect(y).toEqual([1, 1, 2, 2, 3, 3, 5, 5]);
	});

	it("has a gap where there is no value", () => {
		const { x } = envelope(
			buckets([
				[0, 1, 5],
				[2, 2, 3],
			]),
			false,
		);
		expect(x[4]).toBeNaN();
	});

	it("leaves buckets out in which nothing is finite", () => {
		const { x } = envelope(
			buckets([
				[0, Number.NaN, Number.NaN],
				[1, 2, 3],
			]),
			false,
		);
		expect(x).toEqual([10, 20, 20, 10]);
	});

	it("ends on a log axis at the lowest that has a place there", () => {
		const { y } = envelope(
			buckets([
				[0, -1, 5],
				[1, 2, 3],
				[2, -4, -2],
			]),
			true,
		);
		expect(y).toEqual([2, 2, 2, 2, 3, 3, 5, 5]);
	});

	it("is nothing where each value is drawn as it is", () => {
		expect(envelope(curve([1, 2]), false)).toEqual({ x: [], y: [] });
	});
});

describe("side", () => {
	it("is the lowest of each bucket, or the value itself", () => {
		expect(side(buckets([[0, 1, 5]]), "low", false)).toEqual({
			x: [0, 10],
			y: [1, 1],
		});
		expect(side(curve([4, 6]), "low", false)).toEqual({ x: [0, 1], y: [4, 6] });
	});
});
