import { describe, expect, it } from "vitest";
import {
	answer,
	drawnTrack,
	rows,
	storeOf,
	track,
} from "../../test/samples.js";
import { axesOf } from "./axes.js";
import { trackCurve } from "./curves.js";
import { wantOf } from "./sight.js";

/** @import { Rows } from "../data/rows.js" */
/** @import { Sight } from "./sight.js" */

const AGAIN = [1, 2, 3, 4, 3, 4, 5];

/** @param {Rows} history @param {Partial<Sight>} [news] @param {string} [x] */
function shown(history, news, x = "step") {
	const sight = { range: null, weight: 0, pixels: 300, ...news };
	const store = storeOf({ "": history });
	const [extent] = store.extents;
	const axis = axesOf(x, [{ track: track(), extent }]).get("");
	if (!axis) throw new Error(`there is no axis ${x}`);
	const drawn = drawnTrack({ axis, extent });
	answer(store, { "": history }, [wantOf(drawn, ["loss"], sight, 1)]);
	return trackCurve(store.cache, "loss", drawn, sight, 1);
}

/** @param {number} length @param {(i: number) => number} of */
const values = (length, of) => Float64Array.from({ length }, (_, i) => of(i));

describe("trackCurve", () => {
	it("draws up to 2000 points as they are", () => {
		const all = values(2000, Math.sin);
		const { curve } = shown(rows(all));
		expect(curve.y).toEqual(all);
		expect([curve.x[0], curve.x[1999], curve.values, curve.buckets]).toEqual([
			1, 2000, 2000, 0,
		]);
	});

	it("draws every point where each has a pixel of its own", () => {
		const all = values(2400, Math.sin);
		expect(shown(rows(all), { pixels: 2500 }).curve.y).toEqual(all);
	});

	it("draws more bucket by bucket, with a spike where it is, one to two pixels wide", () => {
		const { curve } = shown(rows(values(50_000, () => 0).with(31_234, 9)));
		const spikes = [...curve.high.keys()].filter((i) => curve.high[i] === 9);
		expect(spikes.length).toBe(1);
		const [left, right] = [curve.left[spikes[0]], curve.right[spikes[0]]];
		expect([left <= 31_235, 31_235 <= right]).toEqual([true, true]);
		const pixel = 50_000 / 300;
		expect(right - left).toBeGreaterThan(pixel * 0.99);
		expect(right - left).toBeLessThan(2 * pixel);
		expect(curve.reduced).toBe(50_000);
	});

	it("is exact again when the reader zooms in, to the edges and a point beyond", () => {
		const { curve } = shown(rows(values(50_000, (i) => i)), {
			range: [1000, 1010],
		});
		expect([...curve.x]).toEqual(Array.from({ length: 13 }, (_, i) => 999 + i));
		expect(curve.values).toBe(11);
	});

	it("counts each value that is not finite, where it is", () => {
		const { curve } = shown(
			rows([1, Number.NaN, Infinity, 2, Number.NaN, -Infinity]),
		);
		expect(curve.nonfinite).toEqual([
			{ kind: "NaN", x: [2, 5], counts: [1, 1] },
			{ kind: "+Inf", x: [3], counts: [1] },
			{ kind: "−Inf", x: [6], counts: [1] },
		]);
	});

	it("counts ten thousand of them without burying anything", () => {
		const { curve } = shown(
			rows(values(50_000, (i) => (i % 5 ? 1 : Number.NaN))),
		);
		const [{ kind, counts }] = curve.nonfinite;
		expect([kind, counts.reduce((a, b) => a + b)]).toEqual(["NaN", 10_000]);
		expect(counts.length).toBeLessThan(400);
		expect(curve.y.every((y) => y === 1)).toBe(true);
	});

	it("smooths over all values, also those that are not drawn", () => {
		const history = rows(values(5000, Math.sin));
		const all = shown(history, { weight: 0.9 }).curve;
		const zoomed = shown(history, { range: [4000, 4100], weight: 0.9 }).curve;
		expect(zoomed.smooth?.length).toBe(103);
		const last = all.x.length - 1;
		expect(all.smooth?.[last]).toBeCloseTo(
			history.average("loss", 0.9)[4999],
			12,
		);
	});

	it("keeps what was trained again as a line of its own, never backwards", () => {
		const { curve, earlier } = shown(rows(AGAIN, { steps: AGAIN }));
		expect([...curve.y]).toEqual([1, 2, Number.NaN, 3, 4, 5]);
		expect([...(earlier?.y ?? [])]).toEqual([2, 3, 4]);
		expect([curve.values, earlier?.values]).toEqual([5, 2]);
	});

	it("draws attempts apart over time", () => {
		const attempts = ["a1", "a1", "a1", "a1", "a2", "a2", "a2"];
		const { curve, earlier } = shown(
			rows(AGAIN, { steps: AGAIN, attempts }),
			{},
			"time",
		);
		expect([...curve.y]).toEqual([1, 2, 3, 4, Number.NaN, 3, 4, 5]);
		expect(earlier).toBeNull();
	});

	it("begins a new line where an attempt goes on at the next step", () => {
		const attempts = ["a1", "a1", "a1", "a2"];
		const { curve } = shown(rows([1, 2, 3, 4], { attempts }), { weight: 0.5 });
		expect([...curve.y]).toEqual([1, 2, 3, Number.NaN, 4]);
		expect(curve.smooth?.[4]).toBe(4);
	});

	it("says what is not here, and draws nothing there", () => {
		const history = rows([1, 2, 3]);
		const drawn = drawnTrack({ extent: history.extent("") });
		const sight = { range: null, weight: 0, pixels: 300 };
		const { curve } = trackCurve(
			storeOf({ "": history }).cache,
			"loss",
			drawn,
			sight,
			1,
		);
		expect(curve.x.length).toBe(0);
		expect(curve.missing).toEqual([[1, 3]]);
	});

	it("has buckets that end where the values do", () => {
		const { curve } = shown(rows(values(50_000, () => 1)));
		expect([curve.left[0], curve.right.at(-1)]).toEqual([1, 50_000]);
	});
});
