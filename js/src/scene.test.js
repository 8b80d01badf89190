import { describe, expect, it } from "vitest";
import { chunk, head } from "../test/samples.js";
import { initialChoice } from "./controls/index.js";
import { scene } from "./scene.js";
import { createStore } from "./store.js";

/** @import { Choice } from "./controls/index.js" */
/** @import { Theme } from "./figure.js" */

const theme = /** @type {Theme} */ ({});

/** @param {number} rows @param {Partial<Choice>} [choice] */
function made(rows, choice) {
	const store = createStore(head());
	if (rows) store.history.add(chunk(0, new Float64Array(rows)));
	return scene(store, { ...initialChoice(), ...choice }, theme, 900);
}

describe("scene", () => {
	it("is nothing before the first row", () => {
		expect(made(0)).toBeNull();
	});

	it("shows all steps with a little room on both sides", () => {
		expect(made(101)?.range).toEqual([0, 102]);
	});

	it("has room for a single point", () => {
		expect(made(1)?.range).toEqual([0, 2]);
	});

	it("stays where the reader has zoomed to", () => {
		expect(made(500, { range: [20, 30] })?.range).toEqual([20, 30]);
	});
});
