import { describe, expect, it } from "vitest";
import { chunk, contract, delta, head, status } from "../../test/samples.js";
import { byteLength } from "./frames.js";
import { createStore, isExact, reduce, restore } from "./store.js";

/** @import { Block } from "../protocol" */

const NOW_S = 1100;

describe("reduce", () => {
	it.each(contract())(
		"holds the points of $name",
		({ message, buffer, points }) => {
			const { history } = reduce(createStore(head()), message, buffer, NOW_S);
			for (const [metric, { values }] of Object.entries(points)) {
				const series = history.segments[0].series.get(metric);
				expect([...(series?.values.view() ?? [])]).toEqual(values.map(Number));
			}
		},
	);

	it("is the same when a message comes twice", () => {
		const store = createStore(head());
		const message = delta(chunk(0, [3, 2, 1]));
		reduce(store, ...message, NOW_S);
		reduce(store, ...message, NOW_S);
		expect(store.history.stop).toBe(3);
		expect(store.history.segments[0].rows.length).toBe(3);
	});

	it("sees the gap that a lost message leaves", () => {
		const store = createStore(head());
		reduce(store, ...delta(chunk(0, [3, 2])), NOW_S);
		reduce(store, ...delta(chunk(5, [1])), NOW_S);
		expect(isExact(store)).toBe(false);
		expect(store.history.missing()).toEqual([[2, 5]]);
	});

	it("takes a new status without a new head", () => {
		const store = createStore(head());
		reduce(store, ...delta(chunk(0, [1]), { phase: "evaluating" }), NOW_S);
		expect(store.head.status.phase).toBe("evaluating");
		expect(store.head.metrics).toEqual(head().metrics);
	});

	it("does not go back to an older status", () => {
		const store = createStore(head());
		reduce(store, ...delta(chunk(1, [1]), { phase: "finished" }, 8), NOW_S);
		reduce(store, ...delta(chunk(0, [1]), { phase: "training" }, 7), NOW_S);
		expect(store.head.status.phase).toBe("finished");
		expect(store.history.stop).toBe(2);
	});

	it("corrects the page's clock by the message that came fastest", () => {
		const store = createStore(head());
		reduce(store, ...delta(chunk(0, [1]), { sent_s: 100 }), 163);
		reduce(store, ...delta(chunk(1, [1]), { sent_s: 101 }), 161);
		expect(store.skew).toBe(60);
	});
});

describe("restore", () => {
	/** @param {number} rows @param {number} sent_s */
	const snapshot = (rows, sent_s) => {
		const [{ block, seq }, buffer] = delta(chunk(0, new Float64Array(rows)));
		return { head: head({ status: status({ sent_s }) }), seq, block, buffer };
	};

	it("brings the whole history to a page made late", () => {
		const store = createStore(head());
		restore(store, snapshot(500, 1000));
		reduce(store, ...delta(chunk(500, [1])), NOW_S);
		expect(store.history.stop).toBe(501);
		expect(isExact(store)).toBe(true);
	});

	it("keeps a status that is newer than the snapshot's", () => {
		const store = createStore(head());
		reduce(
			store,
			...delta(chunk(0, [1]), { phase: "finished", sent_s: 2000 }),
			NOW_S,
		);
		restore(store, snapshot(1, 1500));
		expect(store.head.status.phase).toBe("finished");
	});

	it("waits for the buffer when only its description has come", () => {
		const store = createStore(head());
		const early = {
			...snapshot(5, 1000),
			buffer: new DataView(new ArrayBuffer(0)),
		};
		restore(store, early);
		expect(byteLength(/** @type {Block} */ (early.block))).toBe(200);
		expect(store.history.stop).toBe(0);
	});
});
