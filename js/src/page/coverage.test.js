import { expect, it } from "vitest";
import { coverage } from "./coverage.js";

/** @import { Curve } from "../curve/curve.js" */

/** @param {number} shown @param {number} total @param {number} [reduced] @returns {Curve} */
const drawn = (shown, total, reduced = 0) => ({
	x: new Float64Array(shown),
	y: new Float64Array(shown),
	smooth: null,
	nonfinite: [],
	total,
	drawn: shown,
	replaced: 0,
	envelope: shown < total,
	reduced,
	averaged: true,
});

it.each([
	[[], ""],
	[[drawn(3, 3), drawn(2, 2)], "showing 5 of 5 points exactly"],
	[
		[drawn(600, 30_000)],
		"showing 600 of 30,000 points: lowest and highest of about 100 each",
	],
	[
		[{ ...drawn(10, 10), replaced: 1000 }],
		"showing 10 of 10 points exactly · 1,000 older left out: steps were logged again",
	],
	[
		[{ ...drawn(5, 5, 5), averaged: false }],
		"showing 5 points, an envelope: others are not here · smoothed over the rows that are here; the exact average needs all",
	],
	[
		[drawn(5, 5, 2), drawn(3, 3)],
		"showing 8 points, 2 of them an envelope: others are not here",
	],
	[
		[drawn(60, 3000, 60)],
		"showing 60 of 3,000 points that are here, an envelope: others are not here",
	],
])("says how much is drawn (%#)", (curves, text) => {
	expect(coverage(curves, true)).toBe(text);
});

it.each([
	[drawn(3, 3), "showing 3 of 3 points that are here; rows are missing"],
	[
		drawn(60, 3000),
		"showing 60 of 3,000 points: lowest and highest of about 100 each; rows are missing",
	],
])("does not say exactly while rows are missing (%#)", (curve, text) => {
	expect(coverage([curve], false)).toBe(text);
});
