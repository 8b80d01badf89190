import { expect, it } from "vitest";
import { curve } from "../../test/samples.js";
import { coverage } from "./coverage.js";

/** @import { Curve } from "../curve/curve.js" */

const exact = curve([1, 2, 3]);
const reduced = curve([1], { values: 0, reduced: 30_000, buckets: 300 });

/** @type {[Curve[], string][]} */
const SAID = [
	[[], ""],
	[[exact, curve([1, 2])], "showing all 5 points"],
	[
		[reduced, exact],
		"each pixel shows the lowest to the highest of about 100 values",
	],
	[
		[curve([1, 2], { missing: [[3, 9]] })],
		"showing 2 points · hatched: waits for the kernel",
	],
	[[curve([], { missing: [[1, 9]] })], "hatched: waits for the kernel"],
	[
		[{ ...exact, left_out: 1000 }],
		"showing all 3 points · 1,000 of earlier attempts left out",
	],
	[
		[{ ...exact, averaged: false }],
		"showing all 3 points · the average is not here",
	],
];

it.each(SAID)("says how much is drawn (%#)", (curves, text) => {
	expect(coverage(curves, "waits for the kernel")).toBe(text);
});
