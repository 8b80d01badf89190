import { describe, expect, it } from "vitest";
import { head, rows, storeOf, theme, track } from "../../test/samples.js";
import { initialChoice } from "../data/choice.js";
import { createStore } from "../data/store.js";
import { around, pageModel, roomy } from "./page_model.js";

/** @import { Choice } from "../data/choice.js" */
/** @import { Rows } from "../data/rows.js" */
/** @import { Store } from "../data/store.js" */

const WAITS = "waits for the kernel";

/** @param {Rows} history @param {Partial<Choice>} [choice] */
const model = (history, choice) =>
	pageModel(
		storeOf({ "": history }),
		{ ...initialChoice(), ...choice },
		theme,
		900,
		WAITS,
	);

/** @param {number} count */
const zeros = (count) => rows(new Float64Array(count));

describe("pageModel", () => {
	it("is nothing before the first row", () => {
		const store = createStore(head());
		expect(pageModel(store, initialChoice(), theme, 900, WAITS)).toBeNull();
	});

	it("shows all steps with a little room on both sides", () => {
		expect(model(zeros(101))?.range).toEqual([0, 102]);
	});

	it("has room for a single point", () => {
		expect(model(zeros(1))?.range).toEqual([0, 2]);
	});

	it("shows the steps that were trained before, too", () => {
		expect(
			model(rows([1, 1, 1, 1], { steps: [1, 101, 1, 51] }))?.range,
		).toEqual([0, 102]);
	});

	it("has an axis of epochs also where rows do not name theirs", () => {
		const some = rows([1, 1, 1], { epochs: [1, Number.NaN, 101] });
		expect(model(some, { x: "epoch" })?.range).toEqual([0, 102]);
	});

	it("stays where the reader has zoomed to", () => {
		expect(model(zeros(500), { range: [20, 30] })?.range).toEqual([20, 30]);
	});
});

describe("the newest steps", () => {
	/** @param {number} rows @param {Partial<Choice>} choice */
	const range = (rows, choice) => model(zeros(rows), choice)?.range ?? [0, 0];

	it("are followed, and the axis moves seldom", () => {
		const ranges = new Set();
		for (let rows = 5000; rows < 5100; rows++) {
			const [from, to] = range(rows, { follow: 100 });
			expect(to).toBeGreaterThanOrEqual(rows);
			expect(from).toBeLessThanOrEqual(rows - 99);
			expect(to - from).toBeLessThan(140);
			ranges.add(from);
		}
		expect(ranges.size).toBeLessThan(15);
	});

	it("are all where there are no more, and not those that the reader looks at", () => {
		expect(range(101, { follow: 1000 })).toEqual([0, 102]);
		expect(range(5000, { follow: 100, range: [1, 2] })).toEqual([1, 2]);
	});

	it("are as large a share of an axis that counts no steps", () => {
		const [from, to] = range(5000, { follow: 100, x: "time" });
		const axis = range(5000, { x: "time" });
		expect((to - from) / (axis[1] - axis[0])).toBeCloseTo(0.02, 1);
		expect(to - from).toBeLessThan(0.03 * (axis[1] - axis[0]));
	});
});

describe("roomy", () => {
	it("holds what it is of with a little room, and seldom changes as that grows", () => {
		const ranges = new Set();
		for (let to = 10_000; to < 11_000; to++) {
			const [low, high] = roomy([1, to]);
			expect(low).toBeLessThan(1);
			expect(high).toBeGreaterThan(to);
			expect(high - low).toBeLessThan(1.07 * to);
			ranges.add(`${low} ${high}`);
		}
		expect(ranges.size).toBeLessThan(6);
	});
});

describe("around", () => {
	/** @param {Store} store @param {string} [x] */
	function drawn(store, x = "step") {
		const made = pageModel(store, { ...initialChoice(), x }, theme, 900, WAITS);
		if (!made) throw new Error("there is no row");
		return made.drawnTracks;
	}
	const single = (/** @type {number} */ count) =>
		drawn(storeOf({ "": zeros(count) }));
	const at = (/** @type {number} */ step, wall_time_s = 0, id = "") => ({
		step,
		wall_time_s,
		track: id,
	});

	it("has the step in the middle of a part of the run", () => {
		expect(around(single(101), at(40))).toEqual([
			expect.closeTo(29.8, 5),
			expect.closeTo(50.2, 5),
		]);
	});

	it("finds the step of an alert in its own track's time", () => {
		const tracks = [0, 1].map((n) =>
			track(`${n}.0`, { run: `${n}`, label: `${n}`, started_s: 900 + 50 * n }),
		);
		const histories = tracks.map(({ id }) => [id, zeros(4)]);
		const store = storeOf(Object.fromEntries(histories), { tracks });
		const [[a, b], [c, d]] = ["0.0", "1.0"].map(
			(id) => around(drawn(store, "time"), at(2, 1000.5, id)) ?? [0, 0],
		);
		expect([a < 100.5, 100.5 < b, c < 50.5, 50.5 < d]).not.toContain(false);
		expect(d).toBeLessThan(a);
	});

	it("does not look beyond the run", () => {
		expect(around(single(101), at(101))?.[1]).toBe(102);
	});
});
