import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TestKernel } from "../../test/kernel.js";
import { head, theme, track } from "../../test/samples.js";
import { initialChoice } from "../data/choice.js";
import { Feed } from "../link/feed.js";
import { NONFINITE } from "./curve.js";
import { trackCurve } from "./curves.js";
import { drawnTracksOf } from "./drawn_tracks.js";
import { wantOf } from "./sight.js";

/** @import { Row } from "../../test/kernel.js" */
/** @import { Curve } from "./curve.js" */
/** @import { TrackCurve } from "./curves.js" */
/** @import { DrawnTrack } from "./drawn_tracks.js" */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PAUSE_MS = 60;
const RENEW_MS = 10_000;
const TRACKS = ["a", "b"];

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
/** What is in view: a part of the steps on an axis, or all. */
const sight = fc.record({
	steps: fc.oneof(
		fc.constantFrom(null, /** @type {[number, number]} */ ([0, 500])),
		fc
			.tuple(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 80 }))
			.map(([a, n]) => /** @type {[number, number]} */ ([a, a + n])),
	),
	x: fc.constantFrom("step", "epoch", "time", "wall", "samples", "tokens"),
	weight: fc.constantFrom(0, 0.5),
	pixels: fc.integer({ min: 5, max: 60 }),
});
const event = fc.oneof(
	fc.record({
		batch,
		track: fc.constantFrom(...TRACKS),
		all: fc.boolean(),
	}),
	sight.map((sight) => ({ sight })),
	fate.map((fate) => ({ fate })),
);
/**
 * @typedef {{
 *   steps: [number, number] | null, x: string, weight: number, pixels: number,
 * }} Seen
 * @typedef {{
 *   batch?: any, track?: string, all?: boolean, sight?: Seen, fate?: string,
 * }} Event `all`: not the first curve alone is told of
 */

/** So few points are exact that both kinds are drawn. */
const CURVES = 1000;

/** A page and its kernel, and messages that may be lost between them. */
class World {
	/** @param {number | null} steps_per_epoch of the second track */
	constructor(steps_per_epoch) {
		const tracks = TRACKS.map((id, i) =>
			track(id, {
				...{ run: id, label: id, started_s: 1000 + 7 * i },
				...{ samples_per_step: 32, tokens_per_step: 1000 * (i + 1) },
				steps_per_epoch: i ? steps_per_epoch : null,
			}),
		);
		this.kernel = new TestKernel(head({ tracks }));
		/** @type {Seen} */
		this.sight = { steps: null, x: "step", weight: 0, pixels: 20 };
		this.page = new AbortController();
		this.feed = this.open();
	}

	/** A page, of which nobody knows yet. */
	open() {
		const feed = new Feed(this.kernel, this.page.signal);
		feed.watch(() => {}, this.page.signal);
		return feed;
	}

	/** The page is closed, and opened again. */
	reload() {
		this.page.abort();
		this.page = new AbortController();
		this.kernel.sent = [];
		this.feed = this.open();
	}

	get tracks() {
		const choice = { ...initialChoice(), x: this.sight.x };
		return drawnTracksOf(this.feed.store, choice, theme)?.tracks ?? [];
	}

	/** The range of steps on the axis of the first track that is drawn. */
	get range() {
		const { steps } = this.sight;
		const [first] = this.tracks;
		if (!steps || !first) return null;
		const { axis, track } = first;
		const [from, to] = steps.map((step) => {
			if (axis.key === "epoch") return epochOf(step);
			const moment = { step, wall_time_s: 1000 + step / 2 };
			return axis.moment(moment);
		});
		return track && /** @type {[number, number]} */ ([from, to]);
	}

	/** @param {Event} event */
	happen({ batch, track, all, sight, fate }) {
		if (batch) log(this.rows(track ?? TRACKS[0]), batch);
		if (sight) this.sight = sight;
		this.draw();
		this.kernel.tick(all);
		if (fate) this.deliver(fate);
	}

	/** @param {string} track */
	rows(track) {
		return /** @type {Row[]} */ (this.kernel.logged.get(track));
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

	get sighted() {
		return { ...this.sight, range: this.range };
	}

	/** The page draws, and asks for what it draws. */
	draw() {
		const wants = this.tracks.map((drawnTrack) => ({
			...wantOf(drawnTrack, ["loss"], this.sighted, CURVES),
			points: 25,
		}));
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

	/** @returns {TrackCurve[]} */
	curves() {
		const { cache } = this.feed.store;
		return this.tracks.map((drawnTrack) =>
			trackCurve(cache, "loss", drawnTrack, this.sighted, CURVES),
		);
	}
}

/** @param {number} step */
const epochOf = (step) => Math.floor(step / 10);

/** @param {Row[]} rows @param {{values: number[], stride: number, back: number}} batch */
function log(rows, { values, stride, back }) {
	const last = rows.at(-1) ?? { step: 0, time: 1000, attempt: "a1" };
	const attempt = back ? `a${Number(last.attempt.slice(1)) + 1}` : last.attempt;
	let step = Math.max(last.step - back, 0);
	values.forEach((value, i) => {
		step += stride || (i ? 0 : 1);
		const time = last.time + (i + 1) / 2;
		rows.push({ step, time, epoch: epochOf(step), attempt, value });
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
 * @param {DrawnTrack} drawnTrack
 * @param {[number, number] | null} range
 * @param {number | null} level
 */
function inView(kept, { axis }, range, level) {
	const [begin, end] = range ? range.map(axis.back) : [-Infinity, Infinity];
	const place = (/** @type {number} */ key) =>
		level === null ? key : Math.floor(key / 2 ** level);
	return kept.filter((row) => {
		const at = place(row[axis.key]);
		return place(begin) <= at && at <= place(end);
	});
}

/**
 * Where on the axis a row stands: a whole number is seen up to the next.
 * @param {DrawnTrack} drawnTrack
 * @param {Row} row
 */
function placeOf({ axis }, row) {
	const [half, room] = [axis.key === "time" ? 0 : 0.5, 1e-6];
	const key = row[axis.key];
	return {
		x: axis.of(key),
		least: axis.of(key - half - room),
		most: axis.of(key + half + room),
	};
}

/** @param {TrackCurve} trackCurve @param {Curve} curve @param {Row[]} rows */
function isNothingElse({ drawnTrack }, curve, rows) {
	const placed = rows.map((row) => ({ row, ...placeOf(drawnTrack, row) }));
	for (const { left, right, low, high } of points(curve)) {
		if (Number.isNaN(low)) continue;
		const values = finite(
			placed
				.filter(({ least, most }) => left <= most && least <= right)
				.map(({ row }) => row),
		);
		expect(values).toContain(low);
		expect(values).toContain(high);
	}
	expect(curve.values + curve.reduced).toBeLessThanOrEqual(rows.length);
}

/** @param {TrackCurve} trackCurve @param {Row[]} seen */
function isAll({ drawnTrack, curve }, seen) {
	const drawn = points(curve);
	for (const row of seen) {
		const { value } = row;
		if (!Number.isFinite(value)) continue;
		const { least, most } = placeOf(drawnTrack, row);
		const at = drawn.filter(
			({ left, right }) => left <= most && least <= right,
		);
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

/**
 * All that is drawn is true, also where not all has come.
 * @param {World} world
 */
function isTrue(world) {
	for (const trackCurve of world.curves()) {
		const rows = world.rows(trackCurve.drawnTrack.track.id);
		isNothingElse(trackCurve, trackCurve.curve, rows);
		if (trackCurve.earlier) isNothingElse(trackCurve, trackCurve.earlier, rows);
	}
}

/**
 * All has come.
 * @param {World} world
 */
function isWhole(world) {
	const { feed, sighted } = world;
	expect([feed.error, feed.isWhole]).toEqual(["", true]);
	for (const trackCurve of world.curves()) {
		const { curve, drawnTrack } = trackCurve;
		const { id } = drawnTrack.track;
		const rows = world.rows(id);
		// A clock is never turned back: by it nothing is trained again.
		const kept = drawnTrack.axis.key === "time" ? rows : keptOf(rows);
		const { held } =
			feed.store.cache.find(id, "loss", drawnTrack.axis.key) ?? {};
		const level = held?.header.level ?? null;
		expect(curve.missing).toEqual([]);
		isNothingElse(trackCurve, curve, kept);
		isAll(trackCurve, inView(kept, drawnTrack, sighted.range, level));
	}
}

const events = fc.array(event, { maxLength: 25 });
const epochs = fc.constantFrom(null, 10);

describe("what is drawn", () => {
	it("is the envelope of the data in every bucket, whatever was lost on the way", () => {
		fc.assert(
			fc.property(
				epochs,
				events,
				batch,
				sight,
				fc.array(batch, { maxLength: 4 }),
				(epochs, events, last, sight, more) => {
					const world = new World(epochs);
					for (const event of events) {
						world.happen(event);
						isTrue(world);
					}
					world.happen({ batch: last, sight });
					world.settle();
					for (const batch of more) world.goOn(batch);
					isWhole(world);
				},
			),
			{ numRuns: 100, endOnFailure: true },
		);
	});

	it("is the same in a page that is loaded again in the middle", () => {
		fc.assert(
			fc.property(
				epochs,
				events,
				batch,
				sight,
				(epochs, events, last, sight) => {
					const world = new World(epochs);
					for (const event of events) world.happen(event);
					world.reload();
					world.happen({ batch: last, sight });
					isTrue(world);
					world.settle();
					isWhole(world);
				},
			),
			{ numRuns: 50, endOnFailure: true },
		);
	});

	it("never loses what was there while a run grows", () => {
		const grow = fc.record({
			batch,
			track: fc.constantFrom(...TRACKS),
			all: fc.boolean(),
			waits: fc.boolean(),
		});
		fc.assert(
			fc.property(
				sight.map((sight) => ({ ...sight, steps: null })),
				fc.array(grow, { maxLength: 25 }),
				(sight, events) => {
					const world = new World(10);
					for (const id of TRACKS) log(world.rows(id), SOME);
					world.sight = sight;
					world.settle();
					for (const { waits, ...event } of events) {
						world.happen(event);
						while (!waits && world.kernel.sent.length) world.deliver("comes");
						isTrue(world);
						const curves = world.curves();
						expect(curves.flatMap(({ curve }) => curve.missing)).toEqual([]);
					}
				},
			),
			{ numRuns: 100, endOnFailure: true },
		);
	});
});

const SOME = { values: [1, 2, 3], stride: 1, back: 0 };
