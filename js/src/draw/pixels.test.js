import fc from "fast-check";
import { expect, it } from "vitest";
import {
	answer,
	drawnTrack,
	head,
	options,
	rows,
	storeOf,
	track,
} from "../../test/samples.js";
import { trackCurve } from "../curve/curves.js";
import { wantOf } from "../curve/sight.js";
import { figure } from "./figure.js";

/** @import { Rows } from "../data/rows.js" */
/** @import { Track } from "../protocol" */

/** A bucket is one to two pixels wide; the line of means runs to the next one's middle. */
const REACH_PX = 3;
const [INFO] = head().metrics;

/** Heights in pixel columns. @typedef {{low: number[], high: number[]}} Columns */

/**
 * What the outlines of traces reach in each column of pixels.
 * @param {{x: ArrayLike<number>, y: ArrayLike<number>}[]} traces
 * @param {[number, number]} range
 * @param {number} pixels
 * @returns {Columns}
 */
function painted(traces, [from, to], pixels) {
	const low = Array(pixels).fill(Infinity);
	const high = Array(pixels).fill(-Infinity);
	const scale = pixels / (to - from);
	for (const { x, y } of traces) {
		for (let i = 0; i < x.length; i++) {
			// A point by itself is a line that goes nowhere.
			const next = Number.isFinite(y[i + 1]) ? i + 1 : i;
			const ends = [i, next].map((k) => [(x[k] - from) * scale, y[k]]);
			const [[a, p], [b, q]] = ends.sort(([c], [d]) => c - d);
			if (!Number.isFinite(p + q)) continue;
			const first = Math.max(Math.floor(a), 0);
			const last = Math.min(Math.floor(b), pixels - 1);
			for (let c = first; c <= last; c++) {
				const heights = [Math.max(a, c), Math.min(b, c + 1)].map((at) =>
					b > a ? p + ((q - p) * (at - a)) / (b - a) : p,
				);
				if (a === b) heights.push(q);
				low[c] = Math.min(low[c], ...heights);
				high[c] = Math.max(high[c], ...heights);
			}
		}
	}
	return { low, high };
}

/**
 * What the data reach in each column, and in those around it: with the values beside,
 * to which lines run.
 * @param {number[]} values by step from 1
 * @param {[number, number]} range
 * @param {number} pixels
 */
function held(values, [from, to], pixels) {
	const width = (to - from) / pixels;
	const step = (/** @type {number} */ column) => from + column * width;
	/** @param {number} a @param {number} b */
	const between = (a, b) => values.slice(Math.max(a - 1, 0), Math.max(b, 0));
	return Array.from({ length: pixels }, (_, c) => ({
		own: between(Math.ceil(step(c)), Math.ceil(step(c + 1)) - 1),
		around: between(
			Math.floor(step(c - REACH_PX)) - 1,
			Math.ceil(step(c + 1 + REACH_PX)) + 1,
		),
	}));
}

/**
 * The figure of some tracks, as a page draws it.
 * @param {Record<string, {values: number[], about: Partial<Track>}>} tracks
 * @param {[number, number]} range
 * @param {number} pixels
 */
function drawn(tracks, range, pixels) {
	/** @type {Record<string, Rows>} */
	const data = {};
	for (const [id, { values }] of Object.entries(tracks))
		data[id] = rows(values);
	const store = storeOf(data);
	const sight = { range, weight: 0, pixels };
	const drawnTracks = Object.entries(tracks).map(([id, { about }]) =>
		drawnTrack({ track: track(id, about), extent: data[id].extent(id) }),
	);
	const wants = drawnTracks.map((of) => ({
		...wantOf(of, ["loss"], sight, 1),
		points: 2 * pixels,
	}));
	answer(store, data, wants);
	const curves = drawnTracks.map((of) =>
		trackCurve(store.cache, "loss", of, sight, 1),
	);
	return /** @type {any[]} */ (
		figure(INFO, curves, options({ range }), {}).data
	).filter(({ yaxis }) => !yaxis);
}

const value = fc.oneof(
	{ weight: 20, arbitrary: fc.integer({ min: 0, max: 9 }) },
	{ weight: 1, arbitrary: fc.constantFrom(500, -500) },
);
const looked = fc.record({
	values: fc.array(value, { minLength: 2, maxLength: 1500, size: "max" }),
	a: fc.integer({ min: 1, max: 1500 }),
	n: fc.integer({ min: 1, max: 1500 }),
	pixels: fc.integer({ min: 8, max: 60 }),
});

/** @param {{values: number[], a: number, n: number}} looked @returns {[number, number]} */
const rangeOf = ({ values, a, n }) => [
	Math.min(a, values.length - 1),
	Math.min(a, values.length - 1) + n,
];

it("paints in each column of pixels what the data reach there, and nothing else", () => {
	fc.assert(
		fc.property(looked, (looked) => {
			const { values, pixels } = looked;
			const range = rangeOf(looked);
			const traces = drawn({ "": { values, about: {} } }, range, pixels);
			const { low, high } = painted(traces, range, pixels);
			held(values, range, pixels).forEach(({ own, around }, c) => {
				for (const value of own) {
					expect(high[c]).toBeGreaterThanOrEqual(value);
					expect(low[c]).toBeLessThanOrEqual(value);
				}
				if (high[c] === -Infinity) return;
				expect(high[c]).toBeLessThanOrEqual(Math.max(...around) + 1e-9);
				expect(low[c]).toBeGreaterThanOrEqual(Math.min(...around) - 1e-9);
			});
		}),
		{ numRuns: 100, endOnFailure: true },
	);
});

it("fills a band of ranks from the lowest to the highest of each column", () => {
	fc.assert(
		fc.property(looked, (looked) => {
			const { values, pixels } = looked;
			const range = rangeOf(looked);
			const lowest = values.map((v, i) => v - (i % 3));
			const traces = drawn(
				{
					"0.min": { values: lowest, about: { stat: "min", rank: -1 } },
					"0.max": { values, about: { stat: "max", rank: -1 } },
				},
				range,
				pixels,
			);
			const { low, high } = painted(traces, range, pixels);
			const tops = held(values, range, pixels);
			const bottoms = held(lowest, range, pixels);
			tops.forEach(({ own, around }, c) => {
				for (const value of own) expect(high[c]).toBeGreaterThanOrEqual(value);
				for (const value of bottoms[c].own)
					expect(low[c]).toBeLessThanOrEqual(value);
				if (high[c] === -Infinity) return;
				expect(high[c]).toBeLessThanOrEqual(Math.max(...around) + 1e-9);
				const least = Math.min(...bottoms[c].around);
				expect(low[c]).toBeGreaterThanOrEqual(least - 1e-9);
			});
		}),
		{ numRuns: 100, endOnFailure: true },
	);
});
