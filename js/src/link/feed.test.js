import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TestKernel } from "../../test/kernel.js";
import { head, want } from "../../test/samples.js";
import { Feed } from "./feed.js";

/** @import { AskView, Up } from "../protocol" */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LOOKED = { wants: [want()], track: "", summaries: [] };

/** A feed, what it asks its kernel, and a view that looks until it is ended. */
function looked() {
	const kernel = new TestKernel(head());
	/** @type {Up[]} */
	const sent = [];
	const send = kernel.send.bind(kernel);
	kernel.send = (ask) => {
		sent.push(ask);
		send(ask);
	};
	const feed = new Feed(kernel, new AbortController().signal);
	const view = new AbortController();
	feed.watch(() => {}, view.signal);
	const asks = () =>
		/** @type {AskView[]} */ (sent.filter(({ kind }) => kind === "ask_view"));
	return { kernel, feed, view, sent, asks };
}

it("is at rest while nobody looks, as the old widgets of a cell run again", () => {
	const feed = new Feed(new TestKernel(head()), new AbortController().signal);
	feed.look(LOOKED);
	expect(vi.getTimerCount()).toBe(0);
});

it("asks for the head where what it starts from has a cut one", () => {
	const kernel = new TestKernel(head());
	const start = kernel.start();
	kernel.start = () => ({ ...start, seq: -1 });
	const send = vi.spyOn(kernel, "send");
	const feed = new Feed(kernel, new AbortController().signal);
	feed.watch(() => {}, new AbortController().signal);
	feed.look(LOOKED);
	vi.advanceTimersByTime(50);
	const kinds = send.mock.calls.map(([{ kind }]) => kind);
	expect(kinds).toEqual(["ask_view", "ask_head"]);
});

it("asks for what is seen at the end, while the reader scrolls", () => {
	const { feed, asks } = looked();
	for (const level of [0, 1, 2])
		feed.look({ ...LOOKED, wants: [want({ level })] });
	expect(asks()).toEqual([]);
	vi.advanceTimersByTime(50);
	expect(asks().map(({ wants }) => wants[0].level)).toEqual([2]);
});

it("asks once for the same, and says from time to time that it still looks", () => {
	const { feed, asks } = looked();
	for (let i = 0; i < 3; i++) {
		feed.look(LOOKED);
		vi.advanceTimersByTime(100);
	}
	expect(asks().length).toBe(1);
	vi.advanceTimersByTime(10_000);
	expect(new Set(asks().map(({ id }) => id)).size).toBe(1);
	expect(asks().length).toBe(2);
});

it("has only what is new sent again, unless something was lost", () => {
	const { kernel, feed, asks } = looked();
	feed.look(LOOKED);
	vi.advanceTimersByTime(50);
	feed.look({ ...LOOKED, wants: [want({ level: 1 })] });
	vi.advanceTimersByTime(50);
	const [first, second] = asks();
	expect([first.after, second.after]).toEqual(["", first.id]);
	const told = { id: second.id, page: second.page, whole: true, ends: [] };
	kernel.listener?.view({ ...told, seq: 1 }, []);
	kernel.listener?.view({ ...told, seq: 3 }, []);
	vi.advanceTimersByTime(50);
	expect(asks()[2].after).toBe("");
});

it("asks for the head when news are lost", () => {
	const { kernel, sent } = looked();
	for (let i = 0; i < 3; i++) kernel.tell(false);
	kernel.sent[0]();
	kernel.sent[2]();
	expect(sent.map(({ kind }) => kind)).toEqual(["ask_head"]);
});

it("passes over what is for another page", () => {
	const { kernel, feed } = looked();
	kernel.listener?.view(
		{ id: "other-1", page: "other", seq: 9, whole: true, ends: [] },
		[],
	);
	expect(feed.store.view).toBe(0);
});

it("comes to rest when the last view has gone", () => {
	const { feed, view } = looked();
	const other = new AbortController();
	feed.watch(() => {}, other.signal);
	view.abort();
	expect(vi.getTimerCount()).toBe(1);
	other.abort();
	expect(vi.getTimerCount()).toBe(0);
});
