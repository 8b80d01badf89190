import { describe, expect, it } from "vitest";
import { chunk, head, theme, track, trackChunk } from "../../test/samples.js";
import { initialChoice } from "../data/choice.js";
import { createStore } from "../data/store.js";
import { around, pageModel } from "./page_model.js";

/** @import { Choice } from "../data/choice.js" */
/** @import { Chunk } from "../data/frames.js" */

/** @param {number} rows @param {Partial<Choice>} [choice] */
function made(rows, choice) {
	const store = createStore(head());
	if (rows) store.history.add(chunk(0, new Float64Array(rows)));
	return pageModel(store, { ...initialChoice(), ...choice }, theme, 900);
}

describe("pageModel", () => {
	it("is nothing before the first row", () => {
		expect(made(0)).toBeNull();
	});

	it("shows all steps with a little room on both sides", () => {
		expect(made(101)?.range).toEqual([0, 102]);
	});

	it("has room for a single point", () => {
		expect(made(1)?.range).toEqual([0, 2]);
	});

	/** @param {number[]} steps @param {Chunk["columns"]} columns */
	function range(steps, columns) {
		const store = createStore(head());
		const rows = chunk(0, new Float64Array(steps.length));
		store.history.add({ ...rows, steps: Float64Array.from(steps), columns });
		return pageModel(store, initialChoice(), theme, 900)?.range;
	}

	it("shows the whole curve when an older step of another is logged last", () => {
		const loss = Float64Array.of(2, 1);
		const late = Float64Array.of(0.9);
		const columns = new Map([
			["loss", { positions: Float64Array.of(0, 1), values: loss }],
			["accuracy", { positions: Float64Array.of(2), values: late }],
		]);
		expect(range([1, 101, 50], columns)).toEqual([0, 102]);
	});

	it("shows the steps that were trained before, too", () => {
		const loss = new Float64Array(4);
		const columns = new Map([["loss", { positions: null, values: loss }]]);
		expect(range([1, 101, 1, 51], columns)).toEqual([0, 102]);
	});

	it("has an axis of epochs also where rows do not name theirs", () => {
		const store = createStore(head());
		const some = chunk(0, new Float64Array(3));
		some.epochs = Float64Array.of(1, Number.NaN, 101);
		store.history.add(some);
		const choice = { ...initialChoice(), x: "epoch" };
		expect(pageModel(store, choice, theme, 900)?.range).toEqual([0, 102]);
	});

	it("stays where the reader has zoomed to", () => {
		expect(made(500, { range: [20, 30] })?.range).toEqual([20, 30]);
	});
});

describe("around", () => {
	/** @param {ReturnType<typeof createStore>} store @param {string} x */
	function drawn(store, x = "step") {
		const model = pageModel(store, { ...initialChoice(), x }, theme, 900);
		if (!model) throw new Error("there is no row");
		return model.drawnTracks;
	}

	/** @param {number} rows */
	function single(rows) {
		const store = createStore(head());
		store.history.add(chunk(0, new Float64Array(rows)));
		return drawn(store);
	}

	it("has the step in the middle of a part of the run", () => {
		expect(around(single(101), 40, "")).toEqual([
			expect.closeTo(29.8, 5),
			expect.closeTo(50.2, 5),
		]);
	});

	it("finds the step of an alert in its own track's time", () => {
		const tracks = [0, 1].map((n) =>
			track(`${n}.0`, { run: `${n}`, label: `${n}`, started_s: 900 + 50 * n }),
		);
		const store = createStore(head({ tracks }));
		for (const { id } of tracks)
			store.history.add(trackChunk(id, store.history.stop, [1, 2, 3, 4]));
		const [[a, b], [c, d]] = ["0.0", "1.0"].map(
			(id) => around(drawn(store, "time"), 2, id) ?? [0, 0],
		);
		expect([a < 100.5, 100.5 < b, c < 52.5, 52.5 < d]).not.toContain(false);
		expect(d).toBeLessThan(a);
	});

	it("does not look beyond the run", () => {
		expect(around(single(101), 101, "")?.[1]).toBe(102);
	});
});
