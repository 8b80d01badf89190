import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TestKernel } from "../../test/kernel.js";
import { drawnTrack, head, track } from "../../test/samples.js";
import { Feed } from "../link/feed.js";
import { NONFINITE } from "./curve.js";
import { trackCurve } from "./curves.js";
import { wantOf } from "./sight.js";

/** @import { Row } from "../../test/kernel.js" */
/** @import { Curve } from "./curve.js" */
/** @import { TrackCurve } from "./curves.js" */
/** @import { Sight } from "./sight.js" */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PAUSE_MS = 60;
const RENEW_MS = 10_000;

const value = fc.oneof(
	{ weight: 8, arbitrary: fc.integer({ min: -1000, max: 1000 }) },
	{ weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity, -Infinity) },
);
/** Rows to log: how far the step goes, or whether a new attempt goes back. */
const batch = fc.record({
	values: fc.array(value, { minLength: 1, maxLength: 60 }),
	stride: fc.integer({ min: 0, max: 3 }),
	back: fc.oneof(
		{ weight: 5, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 50 }) },
	),
});
/** What happens to each message: it comes, is lost, comes twice, or after the next. */
const fate = fc.constantFrom(
	"comes",
	"comes",
	"comes",
	"lost",
	"twice",
	"late",
);
const sight = fc.record({
	range: fc.oneof(
		fc.constantFrom(null, /** @type {[number, number]} */ ([0, 500])),
		fc
			.tuple(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 80 }))
			.map(([a, n]) => /** @type {[number, number]} */ ([a, a + n])),
	),
	weight: fc.constantFrom(0, 0.5),
	pixels: fc.integer({ min: 5, max: 60 }),
});
const event = fc.oneof(
	batch.map((batch) => ({ batch })),
	sight.map((sight) => ({ sight })),
	fate.map((fate) => ({ fate })),
);
/** @typedef {{batch?: any, sight?: Sight, fate?: string}} Event */

/** So few points are exact that both kinds are drawn. */
const CURVES = 1000;

/** A page and its kernel, and messages that may be lost between them. */
class World {
	constructor() {
		this.kernel = new TestKernel(head({ tracks: [track("")] }));
		this.feed = new Feed(this.kernel, new AbortController().signal);
		this.feed.watch(() => {}, new AbortController().signal);
		/** @type {Sight} */
		this.sight = { range: null, weight: 0, pixels: 20 };
	}

	get drawnTrack() {
		const [extent] = this.feed.store.extents;
		return extent?.step ? drawnTrack({ extent }) : null;
	}

	/** @param {Event} event */
	happen({ batch, sight, fate }) {
		if (batch) log(this.kernel.logged, batch);
		if (sight) this.sight = sight;
		this.draw();
		this.kernel.tick();
		if (fate) this.deliver(fate);
	}

	/** @param {string} fate */
	deliver(fate) {
		const [first, ...rest] = this.kernel.sent;
		if (!first) return;
		this.kernel.sent = rest;
		if (fate === "late") rest.shift()?.();
		if (fate !== "lost") first();
		if (fate === "twice") first();
	}

	/** The page draws, and asks for what it draws. */
	draw() {
		const { drawnTrack } = this;
		const want = drawnTrack && wantOf(drawnTrack, ["loss"], this.sight, CURVES);
		const wants = want ? [{ ...want, points: 25 }] : [];
		this.feed.look({ wants, track: "", summaries: [] });
		vi.advanceTimersByTime(PAUSE_MS);
	}

	/** Everything arrives from now on. */
	settle() {
		vi.advanceTimersByTime(RENEW_MS);
		for (let round = 0; round < 6; round++) {
			this.draw();
			this.kernel.tick();
			while (this.kernel.sent.length) this.deliver("comes");
			vi.advanceTimersByTime(PAUSE_MS);
		}
	}

	/** @param {any} batch that comes, without a loss */
	goOn(batch) {
		this.happen({ batch });
		while (this.kernel.sent.length) this.deliver("comes");
		this.settle();
	}

	curves() {
		const { drawnTrack } = this;
		if (!drawnTrack) return null;
		return trackCurve(
			this.feed.store.cache,
			"loss",
			drawnTrack,
			this.sight,
			CURVES,
		);
	}
}

/** @param {Row[]} rows @param {{values: number[], stride: number, back: number}} batch */
function log(rows, { values, stride, back }) {
	const last = rows.at(-1) ?? { step: 0, time: 1000, attempt: "a1" };
	const attempt = back ? `a${Number(last.attempt.slice(1)) + 1}` : last.attempt;
	let step = Math.max(last.step - back, 0);
	values.forEach((value, i) => {
		step += stride || (i ? 0 : 1);
		rows.push({ step, time: last.time + i + 1, attempt, value });
	});
}

/** Rows whose step is not logged again later. @param {Row[]} rows */
function keptOf(rows) {
	/** @type {Row[]} */
	let kept = [];
	rows.forEach((row, i) => {
		if (i && row.step < rows[i - 1].step)
			kept = kept.filter(({ step }) => step < row.step);
		kept.push(row);
	});
	return kept;
}

/** @param {Curve} curve */
const points = ({ x, y, low, high, count, left, right }) =>
	[...x.keys()]
		.filter((i) => Number.isFinite(x[i]))
		.map((i) =>
			Number.isNaN(left[i])
				? {
						left: x[i],
						right: x[i],
						low: y[i],
						high: y[i],
						count: 1,
						isBucket: false,
					}
				: {
						left: left[i],
						right: right[i],
						low: low[i],
						high: high[i],
						count: count[i],
						isBucket: true,
					},
		);

/** @param {Row[]} rows */
const finite = (rows) => rows.map(({ value }) => value).filter(Number.isFinite);

/**
 * The rows whose buckets are in view, or which are themselves.
 * @param {Row[]} kept
 * @param {Sight} sight
 * @param {number | null} level
 */
function inView(kept, { range }, level) {
	const size = level === null ? 1 : 2 ** level;
	const [begin, end] = range ?? [-Infinity, Infinity];
	const place = (/** @type {number} */ step) =>
		level === null ? step : Math.floor(step / size);
	return kept.filter(
		({ step }) => place(begin) <= place(step) && place(step) <= place(end),
	);
}

/** @param {Curve} curve @param {Row[]} kept */
function isNothingElse(curve, kept) {
	for (const { left, right, low, high } of points(curve)) {
		if (Number.isNaN(low)) continue;
		const values = finite(
			kept.filter(({ step }) => left - 0.5 <= step && step <= right + 0.5),
		);
		expect(values).toContain(low);
		expect(values).toContain(high);
	}
}

/** @param {Curve} curve @param {Row[]} seen */
function isAll(curve, seen) {
	const drawn = points(curve);
	for (const { step, value } of seen) {
		if (!Number.isFinite(value)) continue;
		const at = drawn.filter(({ left, right }) => left <= step && step <= right);
		expect(at.some(({ low, high }) => low <= value && value <= high)).toBe(
			true,
		);
	}
	expect(curve.values + curve.reduced).toBe(seen.length);
	for (const [kind, , odd] of NONFINITE) {
		const of = curve.nonfinite.find((nonfinite) => nonfinite.kind === kind);
		const count = (of?.counts ?? []).reduce((a, b) => a + b, 0);
		expect([kind, count]).toEqual([
			kind,
			seen.filter(({ value }) => Object.is(value, odd)).length,
		]);
	}
}

describe("what is drawn", () => {
	it("is the envelope of the data in every bucket, whatever was lost on the way", () => {
		fc.assert(
			fc.property(
				fc.array(event, { maxLength: 25 }),
				batch,
				sight,
				fc.array(batch, { maxLength: 4 }),
				(events, last, sight, more) => {
					const world = new World();
					for (const event of events) {
						world.happen(/** @type {Event} */ (event));
						const { curve, earlier } = world.curves() ?? {};
						if (curve) isNothingElse(curve, world.kernel.logged);
						if (earlier) isNothingElse(earlier, world.kernel.logged);
					}
					world.happen({ batch: last, sight });
					world.settle();
					for (const batch of more) world.goOn(batch);
					expect([world.feed.error, world.feed.isWhole]).toEqual(["", true]);
					const { curve } = /** @type {TrackCurve} */ (world.curves());
					expect(curve.missing).toEqual([]);
					const kept = keptOf(world.kernel.logged);
					const held = world.feed.store.cache.find("", "loss", "step")?.held;
					isNothingElse(curve, kept);
					isAll(curve, inView(kept, sight, held?.header.level ?? null));
				},
			),
			{ numRuns: 100 },
		);
	}, 60_000);
});
