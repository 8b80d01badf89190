import { describe, expect, it } from "vitest";
import { dragged, gripOf, keyed } from "./brush.js";

/** @import { Range } from "./brush.js" */

/** @type {Range} */
const ALL = [0, 100];
/** @type {Range} */
const WINDOW = [20, 40];

describe("the brush", () => {
	it("takes an edge, the window, or begins a new one", () => {
		expect([19, 41, 30, 60].map((at) => gripOf(at, WINDOW, 2))).toEqual([
			...["from", "to", "pan", "new"],
		]);
		expect(gripOf(30, null, 2)).toBe("new");
	});

	it("draws a window, in any direction", () => {
		expect(dragged("new", null, 50, 30, ALL)).toEqual([30, 50]);
	});

	it("moves an edge, also over the other one", () => {
		expect(dragged("to", WINDOW, 40, 60, ALL)).toEqual([20, 60]);
		expect(dragged("from", WINDOW, 20, 60, ALL)).toEqual([40, 60]);
	});

	it("moves a window to the ends and not beyond", () => {
		expect(dragged("pan", WINDOW, 30, 35, ALL)).toEqual([25, 45]);
		expect(dragged("pan", WINDOW, 30, -99, ALL)).toEqual([0, 20]);
		expect(dragged("pan", WINDOW, 30, 999, ALL)).toEqual([80, 100]);
	});

	it("leaves something to be seen", () => {
		const [from, to] = dragged("new", null, 100, 100, ALL) ?? [0, 0];
		expect(to).toBeGreaterThan(from);
	});
});

describe("keys of the brush", () => {
	it("move and resize the window, until all is seen", () => {
		const keys = ["ArrowRight", "ArrowLeft", "+", "-", "Home", "End"];
		expect(keys.map((key) => keyed(key, WINDOW, ALL))).toEqual([
			...[
				[25, 45],
				[15, 35],
				[25, 35],
				[10, 50],
				[0, 20],
				[80, 100],
			],
		]);
		expect(keyed("-", [10, 90], ALL)).toBeNull();
		expect(keyed("+", null, ALL)).toEqual([25, 75]);
		expect(keyed("d", WINDOW, ALL)).toBeUndefined();
	});
});
