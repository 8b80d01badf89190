import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { extent, head, rows, track, want } from "../../test/samples.js";
import { extract } from "../data/extract.js";
import { readEmbedded } from "./embedded.js";
import { Feed } from "./feed.js";
import { SavedSource } from "./saved.js";

/** @import { Rows } from "../data/rows.js" */
/** @import { SavedPage, SavedTrack } from "../protocol" */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param {number[]} numbers */
const view = (numbers) => new DataView(Float64Array.from(numbers).buffer);

/** @param {string} id @param {Rows} history @returns {{track: SavedTrack, numbers: number[]}} */
function exact(id, { logged, attempts, columns }) {
	const names = [...new Set(attempts)];
	const codes = attempts.map((attempt) => names.indexOf(attempt));
	const values = columns.get("loss")?.values ?? [];
	return {
		track: {
			id,
			rows: codes.length,
			attempts: names,
			columns: [{ metric: "loss", count: values.length }],
			extracts: [],
		},
		numbers: [
			...logged.step,
			...logged.time,
			...logged.epoch,
			...codes,
			...values,
		],
	};
}

/** @param {string} id @param {Rows} history @returns {{track: SavedTrack, numbers: number[]}} */
function reduced(id, history) {
	const { header, pieces } = extract(
		history,
		want({ track: id, points: 1, level: 3 }),
		"loss",
	);
	const names = ["at", "counts", "lows", "highs", "means", "lasts"];
	return {
		track: {
			id,
			rows: 0,
			attempts: [],
			columns: [],
			extracts: [{ ...header, nonfinite: false }],
		},
		numbers: names.flatMap((name) =>
			pieces.flatMap(({ columns }) => [...columns[name].view()]),
		),
	};
}

/** @param {{track: SavedTrack, numbers: number[]}[]} parts @param {Partial<SavedPage>} [news] */
const saved = (parts, news = {}) => ({
	page: {
		...{ edition: "e", every_s: 0, extents: [] },
		...{
			head: head({ tracks: parts.map(({ track: { id } }) => track(id)) }),
			tracks: parts.map(({ track }) => track),
		},
		...news,
	},
	numbers: view(parts.flatMap(({ numbers }) => numbers)),
});

/** @param {ReturnType<typeof saved>} embedded */
function opened(embedded) {
	const source = new SavedSource(embedded, view([]));
	const feed = new Feed(source, new AbortController().signal);
	feed.watch(() => {}, new AbortController().signal);
	return { source, feed };
}

const HISTORY = rows([3, 1, 2]);

describe("a page that needs no kernel", () => {
	it("answers what it asks from its own rows", () => {
		const { feed } = opened(saved([exact("", HISTORY)]));
		feed.look({ wants: [want()], track: "", summaries: ["loss"] });
		vi.runOnlyPendingTimers();
		vi.advanceTimersByTime(1000);
		const held = feed.store.cache.find("", "loss", "step")?.held;
		expect([...(held?.pieces[0].columns.values.view() ?? [])]).toEqual([
			3, 1, 2,
		]);
		expect(feed.store.summaries.get("loss")?.slice(0, 4)).toEqual([2, 3, 1, 2]);
		expect(feed.isWhole).toBe(true);
	});

	it("has what each of its tracks spans, also of those that are not shown", () => {
		const { feed } = opened(saved([exact("", HISTORY)], { extents: [] }));
		expect(feed.store.extents).toEqual([HISTORY.extent("")]);
	});

	it("shows the envelope where there was no room for all", () => {
		const long = rows(Array.from({ length: 100 }, (_, i) => i));
		const { feed } = opened(
			saved([reduced("", long)], { extents: [extent()] }),
		);
		feed.look({
			wants: [want({ weight: 0.5 })],
			track: "",
			summaries: ["loss"],
		});
		vi.advanceTimersByTime(1000);
		expect(feed.store.cache.find("", "loss", "step")?.held?.header.level).toBe(
			3,
		);
		expect(feed.store.summaries.get("loss")?.slice(0, 3)).toEqual([99, 100, 0]);
		expect(feed.store.extents[0].epoch).toBeNull();
	});

	it("shows what is new when its file is written again", () => {
		const { source, feed } = opened(saved([exact("", HISTORY)]));
		feed.look({ wants: [want()], track: "", summaries: [] });
		vi.advanceTimersByTime(1000);
		source.renew(saved([exact("", rows([3, 1, 2, 7]))]));
		vi.advanceTimersByTime(1000);
		const held = feed.store.cache.find("", "loss", "step")?.held;
		expect([...(held?.pieces[0].columns.values.view() ?? [])]).toEqual([
			3, 1, 2, 7,
		]);
	});
});

it("reads what was written into the page, numbers as bytes", () => {
	const texts = /** @type {Record<string, string>} */ ({
		"mswidget-state": '{"edition": "e", "every_s": 5}',
		"mswidget-numbers": btoa("\x00\xff"),
	});
	const page = /** @type {Document} */ (
		/** @type {unknown} */ ({
			getElementById: (/** @type {string} */ id) => ({
				textContent: texts[id],
			}),
		})
	);
	const { page: state, numbers } = readEmbedded(page);
	expect([state.every_s, numbers.getUint16(0)]).toEqual([5, 255]);
});
