import { describe, expect, it } from "vitest";
import {
	answer,
	extent,
	head,
	rows,
	status,
	storeOf,
	want,
} from "../../test/samples.js";
import { extract } from "./extract.js";
import { createStore, lags, restore, takeNews, takeView } from "./store.js";

/** @import { Key, News } from "../protocol" */

/** @param {number} seq @param {number} sent_s @returns {News} */
const news = (seq, sent_s) => ({
	...{ kind: "news", seq, alert_count: 0, parts: [] },
	status: status({ sent_s }),
});
const HISTORY = rows([3, 2, 1]);
const loss = () => extract(HISTORY, want(), "loss");

describe("restore", () => {
	it("draws what a page that is made late starts from, until it is answered", () => {
		const store = createStore(head());
		restore(store, {
			head: head(),
			extents: [HISTORY.extent("")],
			seq: 7,
			held: [loss()],
		});
		expect(store.cache.find("", "loss", "step")?.older.length).toBe(1);
		expect(store.extents[0].rows).toBe(3);
	});

	it("takes a head that is cut, until the whole one comes", () => {
		const store = createStore(head({ notices: ["the first"] }));
		const cut = { head: head(), extents: [], seq: -1, held: [] };
		restore(store, cut);
		expect([store.head.notices, store.torn]).toEqual([[], true]);
		const part = { start: 0, length: 1, items: ["the first"] };
		takeNews(
			store,
			{
				...news(9, 1200),
				run: head().run,
				parts: [{ name: "notices", ...part }],
			},
			1200,
		);
		restore(store, {
			...cut,
			head: head({ status: status({ sent_s: 1300 }) }),
		});
		expect([store.head.notices, store.torn]).toEqual([["the first"], false]);
	});

	it("keeps a status that is newer than what it starts from", () => {
		const store = createStore(head());
		takeNews(
			store,
			{ ...news(1, 2000), status: status({ phase: "finished", sent_s: 2000 }) },
			2000,
		);
		restore(store, { head: head(), extents: [], seq: 0, held: [] });
		expect(store.head.status.phase).toBe("finished");
	});
});

describe("takeNews", () => {
	it("corrects the page's clock by the news that came fastest", () => {
		const store = createStore(head());
		takeNews(store, news(1, 1100), 1163);
		takeNews(store, news(2, 1101), 1161);
		expect(store.skew).toBe(60);
	});

	it("forgets the curves of a track that has fewer rows than before", () => {
		const store = storeOf({ "": HISTORY });
		answer(store, { "": HISTORY }, [want()]);
		const items = [{ ...extent(), rows: 1 }];
		const parts = [
			{ name: /** @type {const} */ ("extents"), start: 0, length: 1, items },
		];
		takeNews(store, { ...news(1, 1101), parts }, 1101);
		expect(store.cache.find("", "loss", "step")?.held).toBeNull();
	});
});

describe("takeView", () => {
	it("takes each view once, and sees that one is lost", () => {
		const store = storeOf({ "": HISTORY });
		store.cache.look([want()], 1, true);
		expect(
			takeView(store, { seq: 1, whole: true, ends: [] }, [loss()], 1),
		).toBe(true);
		expect(takeView(store, { seq: 1 + 1, whole: true, ends: [] }, [], 1)).toBe(
			true,
		);
		expect(
			takeView(store, { seq: 2, whole: true, ends: [] }, [loss()], 1),
		).toBe(true);
		expect(takeView(store, { seq: 4, whole: true, ends: [] }, [], 1)).toBe(
			false,
		);
		expect(store.cache.isWhole).toBe(false);
	});

	it("begins anew with a kernel that has forgotten the page", () => {
		const store = storeOf({ "": HISTORY });
		store.view = 90;
		store.cache.look([want()], 1, true);
		expect(
			takeView(store, { seq: 1, whole: true, ends: [] }, [loss()], 1),
		).toBe(false);
		expect(store.cache.find("", "loss", "step")?.held).toBeTruthy();
	});

	it("spans as much as all that is looked at, not what the news already know", () => {
		const store = storeOf({ "": rows([1, 2, 3, 4, 5]) });
		store.cache.look([want()], 1, true);
		const ends = [{ track: "", key: /** @type {Key} */ ("step"), end: 3 }];
		takeView(store, { seq: 1, whole: true, ends }, [loss()], 1);
		expect(store.extents[0].step).toEqual([1, 3]);
		expect(store.extents[0].rows).toBe(5);
	});

	it("lags behind what the news have said, where the last message was lost", () => {
		const store = storeOf({ "": rows([1, 2, 3]) });
		const step = /** @type {Key} */ ("step");
		const ends = [{ track: "", key: step, end: 3 }];
		store.cache.look([want()], 1, true);
		takeView(store, { seq: 1, whole: true, ends }, [loss()], 1);
		const grown = { ...extent(), rows: 100, step: [1, 100] };
		const part = { name: "extents", start: 0, length: 1, items: [grown] };
		const told = /** @type {any} */ ({ ...news(1, 1200), parts: [part] });
		takeNews(store, told, 1200);
		expect(store.extents[0].step).toEqual([1, 3]);
		expect(lags(store, new Map(store.newest), [want()])).toBe(true);
		expect(lags(store, new Map(), [want()])).toBe(false);
		expect(lags(store, store.newest, [want({ key: "time" })])).toBe(false);
	});
});
