import { describe, expect, it } from "vitest";
import { want } from "../../test/samples.js";
import { grouped, levelOf } from "./wants.js";

describe("levelOf", () => {
	it.each([
		[300, 300, 1],
		[299, 300, 0],
		[100, 300, 0],
		[1e6, 700, 11],
	])(
		"makes a bucket of %d steps on %d pixels one to two pixels wide",
		(span, pixels, level) => {
			expect(levelOf(span, pixels, true)).toBe(level);
		},
	);

	it("goes below whole seconds", () => {
		expect(levelOf(10, 640, false)).toBe(-5);
	});
});

describe("grouped", () => {
	it("joins metrics that are wanted alike, and asks each once", () => {
		const wants = [
			want({ metrics: ["a"] }),
			want({ metrics: ["b"], level: 3 }),
			want({ metrics: ["c"] }),
			want({ metrics: ["a"], level: 3 }),
		];
		expect(
			grouped(wants).map(({ metrics, level }) => [metrics, level]),
		).toEqual([
			[["a", "c"], 0],
			[["b"], 3],
		]);
	});
});
