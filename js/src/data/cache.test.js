import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rows, want } from "../../test/samples.js";
import { Cache, cover } from "./cache.js";
import { extract } from "./extract.js";

/** @import { Want } from "../protocol" */
/** @import { Rows } from "./rows.js" */

const LOSS = /** @type {const} */ (["", "loss", "step"]);

/** @param {Cache} cache @param {number} begin @param {number} end */
function covered(cache, begin, end) {
	const { parts, missing } = cover(cache.find(...LOSS), [begin, end]);
	return {
		parts: parts.map(({ held, from, to }) => [
			held.header.level,
			Math.round(from),
			Math.round(to),
		]),
		missing: missing.map(([from, to]) => [from, to].map(Math.round)),
	};
}

/** @param {Rows} history @param {Partial<Want>} news @param {Cache} cache @param {number} ask */
function told(history, news, cache, ask) {
	cache.look([want(news)], ask, false);
	cache.take(extract(history, want(news), "loss"), ask);
	cache.complete(ask);
}

const LONG = rows(Float64Array.from({ length: 5000 }, Math.sin));
const SHORT = rows(LONG.columns.get("loss")?.values.slice(0, 3000) ?? []);

describe("a cache", () => {
	it("misses all of what has not come", () => {
		const cache = new Cache();
		cache.look([want()], 1, true);
		expect(covered(cache, 1, 10)).toEqual({ parts: [], missing: [[1, 10]] });
		expect(cache.isWhole).toBe(false);
	});

	it("has the whole coarsely until what is zoomed into comes", () => {
		const cache = new Cache();
		told(LONG, { points: 10, level: 5 }, cache, 1);
		const zoomed = { begin: 100, end: 200, level: 0 };
		cache.look([want(zoomed)], 2, false);
		expect(covered(cache, 100, 200).parts).toEqual([[5, 100, 200]]);
		cache.take(extract(LONG, want(zoomed), "loss"), 2);
		expect(covered(cache, 100, 200).parts).toEqual([[null, 100, 200]]);
	});

	it("shows each stretch as finely as it is here, when the reader zooms out", () => {
		const cache = new Cache();
		told(LONG, { points: 10, level: 5 }, cache, 1);
		told(LONG, { begin: 100, end: 200 }, cache, 2);
		cache.look([want({ begin: 50, end: 300 })], 3, false);
		expect(covered(cache, 50, 300)).toEqual({
			parts: [
				[5, 50, 128],
				[null, 128, 192],
				[5, 192, 300],
			],
			missing: [],
		});
	});

	it("does not know what is new of what it no longer looks at", () => {
		const cache = new Cache();
		told(rows(Array(100).fill(1)), {}, cache, 1);
		expect(covered(cache, 1, 120).missing).toEqual([[100, 120]]);
		cache.reach({ track: "", key: "step", end: 120 }, 1);
		expect(covered(cache, 1, 120).missing).toEqual([]);
		cache.look([], 2, false);
		expect(covered(cache, 1, 130).missing).toEqual([[120, 130]]);
	});

	it("takes what was asked before for what it was, not for what is asked now", () => {
		const cache = new Cache();
		cache.look([want({ points: 10, level: 9 })], 1, true);
		cache.look([want({ points: 10, level: 3 })], 2, false);
		cache.take(extract(LONG, want({ points: 10, level: 9 }), "loss"), 1);
		cache.complete(1);
		expect(cache.isWhole).toBe(false);
		expect(covered(cache, 1, 5000).parts).toEqual([[9, 1, 5000]]);
	});

	it("goes on with nothing after a loss", () => {
		const cache = new Cache();
		told(rows([1, 2, 3]), {}, cache, 1);
		cache.tear();
		const more = extract(rows([1, 2, 3, 4]), want({ begin: 4 }), "loss");
		more.header.goes_on = true;
		cache.take(more, 1);
		expect(covered(cache, 1, 4)).toEqual({
			parts: [[null, 1, 3]],
			missing: [[3, 4]],
		});
	});

	it("lets go of an old stretch that was trained again", () => {
		const cache = new Cache();
		const steps = Array.from({ length: 20 }, (_, i) => i + 1);
		told(rows(steps, { steps }), {}, cache, 1);
		cache.look([want({ begin: 5 })], 2, false);
		const again = rows([...steps, 0], { steps: [...steps, 10] });
		cache.take(extract(again, want({ begin: 5 }), "loss"), 2);
		expect(covered(cache, 1, 20).missing).toEqual([[1, 5]]);
	});

	it("forgets a track that was read anew", () => {
		const cache = new Cache();
		told(rows([1, 2, 3]), {}, cache, 1);
		cache.forget("");
		expect(covered(cache, 1, 3).parts).toEqual([]);
	});

	it("stays in its budget, without what was looked at longest ago", () => {
		const cache = new Cache(100_000);
		for (let ask = 1; ask < 50; ask++) {
			const metrics = [`m${ask}`];
			cache.look([want({ metrics })], ask, false);
			cache.take(
				extract(
					rows(Array(1000).fill(1), { metric: metrics[0] }),
					want({ metrics }),
					metrics[0],
				),
				ask,
			);
		}
		expect(cache.bytes).toBeLessThan(120_000);
		expect(cache.find("", "m49", "step")?.held).toBeTruthy();
		expect(cache.find("", "m1", "step")).toBeNull();
	});

	const key = fc.integer({ min: 1, max: 5000 });
	const look = fc.record({
		a: key,
		b: key,
		level: fc.integer({ min: 0, max: 8 }),
		exact: fc.boolean(),
		whole: fc.boolean(),
		rows: fc.constantFrom(5000, 5000, 3000),
	});
	/** @typedef {{a: number, b: number, level: number, exact: boolean, whole: boolean, rows: number}} Look */

	/** @param {number} a @param {number} b @param {number} level @returns {Look} */
	const seen = (a, b, level) => ({
		...{ a, b, level, exact: false, whole: false, rows: 5000 },
	});

	/** @param {Look[]} looks while a run grows */
	function grown(looks) {
		const cache = new Cache();
		const inTime = looks.toSorted((a, b) => a.rows - b.rows);
		inTime.forEach(({ a, b, level, exact, whole, rows }, i) => {
			const [begin, end] = whole
				? [null, null]
				: [Math.min(a, b), Math.max(a, b)];
			const points = exact ? 2500 : 1;
			const history = rows === 5000 ? LONG : SHORT;
			told(history, { begin, end, level, points }, cache, i + 1);
		});
		return cache;
	}

	it("covers each key once, or misses it, whatever was looked at before", () => {
		fc.assert(
			fc.property(fc.array(look, { maxLength: 8 }), key, key, (looks, a, b) => {
				const [from, to] = [Math.min(a, b), Math.max(a, b)];
				const { parts, missing } = cover(grown(looks).find(...LOSS), [
					from,
					to,
				]);
				const spans = [...parts.map((p) => [p.from, p.to]), ...missing].sort(
					(s, t) => s[0] - t[0],
				);
				expect(spans[0]?.[0]).toBe(from);
				expect(spans.at(-1)?.[1]).toBeGreaterThan(to);
				expect(spans.slice(1).map(([start]) => start)).toEqual(
					spans.slice(0, -1).map(([, end]) => end),
				);
			}),
		);
	});

	it("shows each value once, in one bucket or by itself, between covers too", () => {
		fc.assert(
			fc.property(fc.array(look, { maxLength: 8 }), key, key, (looks, a, b) => {
				const [from, to] = [Math.min(a, b), Math.max(a, b)];
				const { parts } = cover(grown(looks).find(...LOSS), [from, to]);
				/** @type {[number, number, number][]} first and last step, how many */
				const drawn = parts.flatMap(({ held, from, to }) => {
					if (!held.pieces.length) return [];
					const [
						{
							columns: { at, counts },
						},
					] = held.pieces;
					const size = 2 ** (held.header.level ?? 0);
					return [...at.view().keys()]
						.filter((i) => (at.data[i] + 1) * size > from + (counts ? 0 : size))
						.filter((i) => at.data[i] * size < to)
						.map((i) => {
							const first = at.data[i] * size;
							return [first, first + size - 1, counts?.data[i] ?? 1];
						});
				});
				drawn.forEach(([first, last, count], i) => {
					if (i) expect(first).toBeGreaterThan(drawn[i - 1][1]);
					const known = Math.min(last, 5000) - Math.max(first, 1) + 1;
					expect(count).toBeLessThanOrEqual(known);
				});
			}),
			{
				numRuns: 150,
				// The first one ends within a bucket that the second one begins in.
				examples: [[[seen(1, 896, 1), seen(897, 898, 0)], 1, 897]],
			},
		);
	});
});
