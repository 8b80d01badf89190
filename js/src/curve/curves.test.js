import { describe, expect, it } from "vitest";
import { chunk, drawnTrack, track } from "../../test/samples.js";
import { History } from "../data/history.js";
import { holdings } from "../data/tracks.js";
import { axesOf } from "./axes.js";
import { curveOf } from "./curves.js";

/** @import { Segment } from "../data/segment.js" */
/** @import { Sight } from "./curves.js" */
/** @import { DrawnTrack } from "./drawn_tracks.js" */

/**
 * The loss of the only track.
 * @param {Segment[]} segments
 * @param {Partial<Sight>} [sight]
 * @param {Partial<DrawnTrack>} [news]
 */
function shown(segments, sight, news) {
	const whole = { range: null, weight: 0, width: 300, ...sight };
	const { curve, ...rest } = curveOf(segments, "loss", drawnTrack(news), whole);
	return { ...rest, ...curve, replaced: rest.replaced };
}

/** @param {Segment[]} segments @param {string} x */
function over(segments, x) {
	const held = holdings(segments).get("")?.get("loss") ?? [];
	return { axis: axesOf(x, [{ track: track(), held }]).get("") };
}

/** @param {ArrayLike<number>} values */
function segments(values) {
	const history = new History();
	history.add(chunk(0, values));
	return history.segments;
}

describe("curveOf", () => {
	it("draws up to 2000 points as they are", () => {
		const values = Float64Array.from({ length: 2000 }, Math.random);
		const { x, y, envelope } = shown(segments(values));
		expect(y).toEqual(values);
		expect([x[0], x[1999], envelope]).toEqual([1, 2000, false]);
	});

	it("draws more as an envelope that keeps spike and non-finite marks", () => {
		const values = new Float64Array(50_000).with(31_234, 9).with(7, Infinity);
		const drawn = shown(segments(values));
		expect(drawn.total).toBe(50_000);
		expect(drawn.x.length).toBeLessThan(1000);
		expect(Math.max(...drawn.y.filter(Number.isFinite))).toBe(9);
		expect(drawn.nonfinite).toEqual([
			{ kind: "+Inf", total: 1, points: [{ x: 8, base: 0 }] },
		]);
	});

	it("draws every point where each has a pixel of its own", () => {
		const values = Float64Array.from({ length: 3000 }, Math.random);
		const drawn = shown(segments(values), { width: 3000 });
		expect(drawn.y).toEqual(values);
	});

	it("is exact again when the reader zooms in", () => {
		const values = Float64Array.from({ length: 50_000 }, (_, i) => i);
		const { x, envelope, total, drawn } = shown(segments(values), {
			range: [1000, 1010],
		});
		expect([envelope, total, drawn]).toEqual([false, 11, 11]);
		expect([...x]).toEqual([
			999,
			...Array.from({ length: 11 }, (_, i) => 1000 + i),
			1011,
		]);
	});

	it("smooths over all values, also those that are not drawn", () => {
		const values = Float64Array.from({ length: 5000 }, Math.random);
		const all = shown(segments(values), { weight: 0.9 });
		const zoomed = shown(segments(values), {
			range: [4000, 4100],
			weight: 0.9,
		});
		const at = [...zoomed.x].findIndex((x) => all.x.includes(x));
		const same = [...all.x].indexOf(zoomed.x[at]);
		expect(zoomed.smooth?.[at]).toBe(all.smooth?.[same]);
	});

	it("marks a NaN at the last finite value before it", () => {
		const { nonfinite } = shown(segments([5, 4, Number.NaN]));
		expect(nonfinite).toEqual([
			{ kind: "NaN", total: 1, points: [{ x: 3, base: 4 }] },
		]);
	});

	it("marks a bounded number of each kind, also where kinds alternate", () => {
		const values = Float64Array.from({ length: 100_000 }, (_, i) =>
			i % 2 ? Number.NaN : Infinity,
		);
		const { nonfinite } = shown(segments(values));
		for (const { points, total } of nonfinite) {
			expect(total).toBe(50_000);
			expect(points.length).toBeLessThan(500);
		}
		expect(nonfinite.map(({ points }) => points[0].x)).toEqual([2, 1]);
		expect(nonfinite.map(({ points }) => points.at(-1)?.x)).toEqual([
			100_000, 99_999,
		]);
	});

	it("never runs backwards: of steps logged again the latest are drawn", () => {
		const again = chunk(0, [1, 2, 3, 4, 5]);
		again.steps = Float64Array.of(1, 2, 3, 2, 3);
		const history = new History();
		history.add(again);
		const { x, y } = shown(history.segments);
		expect([...x]).toEqual([1, Number.NaN, 2, 3]);
		expect([...y]).toEqual([1, Number.NaN, 4, 5]);
	});

	it("counts only what can be drawn when a training begins again", () => {
		const again = chunk(0, new Float64Array(3010));
		again.steps = again.rows.map((row) => (row < 3000 ? row + 1 : row - 2999));
		const history = new History();
		history.add(again);
		const drawn = shown(history.segments);
		expect([drawn.x.length, drawn.total, drawn.replaced]).toEqual([
			10, 10, 3000,
		]);
		expect(drawn.envelope).toBe(false);
	});

	it("draws a line for each attempt of a track", () => {
		const drawn = shown(
			segments([1, 2, 3, 4]),
			{ weight: 0.5 },
			{ begins: [2] },
		);
		expect([...drawn.y]).toEqual([1, 2, Number.NaN, 3, 4]);
		expect(drawn.smooth?.at(3)).toBe(3);
	});

	it("drops what an earlier segment has of steps logged again", () => {
		const history = new History();
		history.add(chunk(0, [1, 2, 3]));
		history.add({ ...chunk(9, [4, 5]), steps: Float64Array.of(2, 3) });
		const drawn = shown(history.segments);
		expect([...drawn.x]).toEqual([1, Number.NaN, 2, 3]);
		expect(drawn.replaced).toBe(2);
	});

	it("shows all of them one after the other over time", () => {
		const again = chunk(0, [1, 2, 3, 4, 5]);
		again.steps = Float64Array.of(1, 2, 3, 2, 3);
		const history = new History();
		history.add(again);
		const drawn = shown(history.segments, {}, over(history.segments, "time"));
		expect([...drawn.y]).toEqual([1, 2, 3, Number.NaN, 4, 5]);
		expect(drawn.replaced).toBe(0);
	});

	it("does not run across rows that are missing", () => {
		const history = new History();
		history.add(chunk(0, [1, 2]));
		history.add(chunk(9, [3, 4]));
		const { y, drawn } = shown(history.segments);
		expect([...y]).toEqual([1, 2, Number.NaN, 3, 4]);
		expect(drawn).toBe(4);
	});

	it("runs from an envelope on into the exact rows after it", () => {
		const history = new History();
		history.add({ ...chunk(0, [1, 2]), reduced: true });
		history.add(chunk(2, [3, 4]));
		const { y, reduced, total } = shown(history.segments);
		expect([...y]).toEqual([1, 2, 3, 4]);
		expect([reduced, total]).toEqual([2, 4]);
	});

	it("has an average of what is there where only an envelope is known", () => {
		const history = new History();
		history.add({ ...chunk(0, [1, 2]), reduced: true });
		history.add(chunk(2, [3, 3]));
		const drawn = shown(history.segments, { weight: 0.5 });
		expect([...(drawn.smooth ?? [])].every(Number.isFinite)).toBe(true);
		expect(drawn.averaged).toBe(false);
	});
});
