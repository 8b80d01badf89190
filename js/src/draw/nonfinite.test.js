import { expect, it } from "vitest";
import { curve, options } from "../../test/samples.js";
import { joined, missingTraces } from "./missing.js";
import { nonfiniteTrace, perPixel } from "./nonfinite.js";

const LINE = { color: "#123456", dash: "solid", label: "", group: "" };

it("marks what is not finite once a pixel, and counts it all", () => {
	const x = Array.from({ length: 10_000 }, (_, i) => i / 1000);
	const shown = options({ range: [0, 10], width: 100 });
	const marks = perPixel(
		x,
		x.map(() => 1),
		shown,
	);
	expect(marks.length).toBe(100);
	expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
	const trace = nonfiniteTrace(
		{ kind: "NaN", x, counts: x.map(() => 1) },
		shown,
		LINE,
	);
	expect([trace.name, trace.yaxis]).toEqual(["NaN: 10,000", "y3"]);
});

it("hatches what is missing of any curve, once", () => {
	const curves = [
		curve([], { missing: [[0, 3]] }),
		curve([], { missing: [[2, 5]] }),
	];
	const [hatched] = missingTraces(curves, options());
	expect(hatched.x.filter((x) => !Number.isNaN(x))).toEqual([0, 0, 5, 5, 0]);
	expect(hatched.name).toBe("waits for the kernel");
	expect(missingTraces([curve([1])], options())).toEqual([]);
});

it("joins stretches that touch", () => {
	expect(
		joined([
			[4, 5],
			[0, 1],
			[1, 2],
		]),
	).toEqual([
		[0, 2],
		[4, 5],
	]);
});
