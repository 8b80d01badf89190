import { describe, expect, it } from "vitest";
import { curve } from "../../test/samples.js";
import { joined, outline, sketch } from "./sketch.js";

describe("a sketch", () => {
	it("runs from the left to the right, the highest value on top", () => {
		const path = sketch(outline(curve([1, 3, 2])), [0, 2]);
		expect(path).toBe("M0.0 22.0L500.0 2.0L1000.0 12.0");
	});

	it("goes along the highest and back along the lowest of buckets", () => {
		const ends = { low: Float64Array.of(0, 1), high: Float64Array.of(4, 3) };
		const path = sketch(outline(curve([2, 2], ends)), [0, 1]);
		expect(path).toBe("M0.0 2.0L1000.0 7.0L1000.0 17.0L0.0 22.0Z");
	});

	it("leaves out what is not finite, and stays in the middle where nothing moves", () => {
		const path = sketch(outline(curve([1, Number.NaN, 1])), [0, 2]);
		expect(path).toBe("M0.0 12.0L1000.0 12.0");
		expect(sketch(outline(curve([Number.NaN])), [0, 1])).toBe("");
	});
});

describe("joined outlines", () => {
	it("go on behind what is there", () => {
		const before = outline(curve([5, 6]));
		const behind = outline(curve([5, 6, 7]), before.x.at(-1));
		expect(joined(before, behind, 9)).toEqual(outline(curve([5, 6, 7])));
	});

	it("keep the highest and the lowest where they have too many points", () => {
		const all = outline(curve([1, 9, 2, 3, 0]));
		expect(joined(all, outline(curve([])), 4)).toEqual({
			...{ x: [0, 2, 4], low: [1, 2, 0], high: [9, 3, 0] },
		});
	});
});
