import { expect, it } from "vitest";
import { readContract } from "../../test/contract.js";
import { createStore, restore, takeNews, takeView } from "../data/store.js";
import { Kernel } from "./kernel.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { State } from "../protocol" */
/** @import { Listener } from "./source.js" */

/** @param {string} coded */
function unpacked(coded) {
	const { buffer, byteOffset, length } = Buffer.from(coded, "base64");
	return new DataView(buffer, byteOffset, length);
}

const [EXAMPLE] = readContract("").filter(({ name }) => name === "bundle.json");

/** @param {Record<string, any>} [news] */
function connected(news) {
	const traits = {
		...EXAMPLE,
		kept_1: {
			extracts: EXAMPLE.extracts,
			buffer: unpacked(EXAMPLE.snapshot_base64),
		},
		kept_2: {},
		kept_3: {},
		...news,
	};
	/** @type {Map<string, Function>} */
	const handlers = new Map();
	const model = /** @type {AnyModel<State>} */ (
		/** @type {unknown} */ ({
			get: (/** @type {string} */ name) => traits[name],
			on: (/** @type {string} */ event, /** @type {Function} */ handler) =>
				handlers.set(event, handler),
			off: () => {},
			send: () => {},
		})
	);
	return { kernel: new Kernel(model), handlers };
}

it("holds what the kernel says that a page holds", () => {
	const { kernel, handlers } = connected();
	const store = createStore({ ...EXAMPLE.head, metrics: [], tracks: [] });
	store.cache.look(EXAMPLE.ask.wants, 1, true);
	/** @type {number[][]} */
	let numbers = [];
	const listener = /** @type {Listener} */ ({
		news: (news) => takeNews(store, news, 0),
		view: (view, extracts) => void takeView(store, view, extracts, 1),
		summaries: (_, summed) => {
			numbers = summed;
		},
	});
	kernel.listen(listener, new AbortController().signal);
	const buffers = EXAMPLE.buffers_base64.map(unpacked);
	handlers.get("msg:custom")?.(EXAMPLE.message, buffers);
	expect(store.head.metrics).toEqual(EXAMPLE.head.metrics);
	expect(store.extents).toEqual(EXAMPLE.extents);
	for (const { track, metric, keys, values } of EXAMPLE.curves) {
		const [want] = EXAMPLE.ask.wants.filter(
			(/** @type {any} */ w) => w.track === track,
		);
		const held = store.cache.find(track, metric, want.key)?.held;
		const [{ columns }] = held?.pieces ?? [];
		expect([...columns.at.view()]).toEqual(keys);
		expect([...columns.values.view()]).toEqual(values.map(Number));
	}
	const told = Object.values(EXAMPLE.summaries).map((of) =>
		Object.values(/** @type {any} */ (of)).map(Number),
	);
	expect(numbers).toEqual(told);
});

it("starts from the traits, each extract with its own numbers", () => {
	const store = createStore(EXAMPLE.head);
	restore(store, connected().kernel.start());
	const { track, metric, values } = EXAMPLE.curves[0];
	const [cover] = store.cache.find(track, metric, "step")?.older ?? [];
	expect([...cover.held.pieces[0].columns.values.view()]).toEqual(
		values.map(Number),
	);
});

it("waits for the numbers when only what they mean has come", () => {
	const buffer = new DataView(new ArrayBuffer(8));
	const kept_1 = { extracts: EXAMPLE.extracts, buffer };
	const { kernel } = connected({ kept_1 });
	expect(kernel.start().held).toEqual([]);
});

it("says that a kernel is gone, which has more to say when it comes again", () => {
	const { kernel, handlers } = connected();
	const listener = /** @type {any} */ ({ closed: () => {}, ack: () => {} });
	kernel.listen(listener, new AbortController().signal);
	handlers.get("comm:close")?.();
	expect([kernel.gone, kernel.waits]).toEqual([
		true,
		"not here, and the kernel is gone",
	]);
	handlers.get("msg:custom")?.({ kind: "ack", id: "", ok: true, text: "" }, []);
	expect(kernel.gone).toBe(false);
});
