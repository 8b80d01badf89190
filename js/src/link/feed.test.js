import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chunk, delta, head } from "../../test/samples.js";
import { Feed } from "./feed.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { State } from "../protocol" */

/** @type {{kind: string}[]} */
let sent = [];
/** @type {Map<string, Function>} */
const handlers = new Map();
const traits = {
	head: head(),
	seq: 0,
	snapshot_block: { start: 0, stop: 0, count: 0, reduced: false, columns: [] },
};
const model = /** @type {AnyModel<State>} */ (
	/** @type {unknown} */ ({
		get: (/** @type {keyof typeof traits} */ name) => traits[name],
		on: (/** @type {string} */ event, /** @type {Function} */ handler) =>
			handlers.set(event, handler),
		off: (/** @type {string} */ event) => handlers.delete(event),
		send: (/** @type {{kind: string}} */ message) => sent.push(message),
	})
);

/** A feed that has missed rows 1 to 49. */
function torn() {
	const feed = new Feed(model, new AbortController().signal);
	for (const row of [0, 50]) {
		const [message, buffer] = delta(chunk(row, [1]));
		handlers.get("msg:custom")?.(message, [buffer]);
	}
	return feed;
}

beforeEach(() => {
	vi.useFakeTimers();
	sent = [];
});
afterEach(() => {
	vi.useRealTimers();
});

it("is at rest while nobody looks, as the old widgets of a cell run again", () => {
	torn();
	expect(vi.getTimerCount()).toBe(0);
	expect(sent).toEqual([]);
});

it("asks for missing rows when the first view looks", () => {
	torn().watch(() => {}, new AbortController().signal);
	expect(sent).toMatchObject([{ kind: "ask_rows", start: 1, stop: 50 }]);
});

it("comes to rest when the last view has gone", () => {
	const feed = torn();
	const views = [new AbortController(), new AbortController()];
	for (const { signal } of views) feed.watch(() => {}, signal);
	views[0].abort();
	expect(vi.getTimerCount()).toBe(1);
	views[1].abort();
	expect(vi.getTimerCount()).toBe(0);
});
