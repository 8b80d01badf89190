import { beforeEach, describe, expect, it } from "vitest";
import { chunk, delta, head, status } from "../../test/samples.js";
import { createStore, reduce } from "../data/store.js";
import { Backfill } from "./backfill.js";

/** @import { Rows } from "../protocol" */

const store = createStore(head());
let backfill = new Backfill();

/** @param {string} id @param {number} start @param {number} stop @returns {Rows} */
const answer = (id, start, stop) => ({
	kind: "rows",
	id,
	block: { start, stop, count: 0, reduced: false, columns: [] },
});

beforeEach(() => {
	Object.assign(store, createStore(head()));
	backfill = new Backfill();
	reduce(store, ...delta(chunk(0, [1])), 0);
	reduce(store, ...delta(chunk(50, [1])), 0);
});

describe("Backfill", () => {
	it("asks for the rows that are missing", () => {
		expect(backfill.next(store, "a", 0)).toEqual({
			kind: "ask_rows",
			id: "a",
			start: 1,
			stop: 50,
		});
	});

	it("asks one thing at a time, and again after five seconds of silence", () => {
		backfill.next(store, "a", 0);
		expect(backfill.next(store, "b", 4000)).toBeNull();
		expect(backfill.next(store, "b", 5000)).toMatchObject({
			id: "b",
			start: 1,
		});
	});

	it("goes on where a short answer ended", () => {
		backfill.next(store, "a", 0);
		backfill.answered(answer("a", 1, 20));
		reduce(store, ...delta(chunk(1, new Float64Array(19))), 0);
		expect(backfill.next(store, "b", 10)).toMatchObject({
			start: 20,
			stop: 50,
		});
	});

	it("does not ask for ever for rows that the kernel has not got", () => {
		backfill.next(store, "a", 0);
		backfill.answered(answer("a", 1, 1));
		expect(backfill.next(store, "b", 10)).toMatchObject({ start: 2 });
	});

	it("is quiet while the kernel cannot hear, and asks when the run has ended", () => {
		store.head.status = status({ controls: false });
		expect(backfill.next(store, "a", 0)).toBeNull();
		store.head.status = status({ controls: false, phase: "finished" });
		expect(backfill.next(store, "a", 0)).not.toBeNull();
	});

	it("is quiet when nothing is missing", () => {
		reduce(store, ...delta(chunk(0, new Float64Array(60))), 0);
		expect(backfill.next(store, "a", 0)).toBeNull();
	});

	it("does not ask for more than the page may hold", () => {
		store.history.budget = 480;
		expect(backfill.next(store, "a", 0)).toMatchObject({ start: 41, stop: 50 });
	});
});
