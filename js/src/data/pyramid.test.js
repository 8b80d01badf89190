import { describe, expect, it } from "vitest";
import { Floats } from "../base/floats.js";
import { Pyramid } from "./pyramid.js";

/**
 * @param {ArrayLike<number>} values
 * @param {number} portion appended at a time
 */
function grown(values, portion = values.length) {
	const series = new Floats();
	const pyramid = new Pyramid();
	for (let i = 0; i < values.length; i += portion) {
		series.append(Array.from(values).slice(i, i + portion));
		pyramid.extend(series);
	}
	return { pyramid, data: series.data, length: series.length };
}

const noise = Array.from({ length: 10_000 }, (_, i) => Math.sin(i * i));

describe("Pyramid", () => {
	it.each([1234, 5000, 9999])(
		"keeps a spike at point %i when it thins the curve",
		(at) => {
			const { pyramid, data, length } = grown(noise.with(at, 99));
			expect(pyramid.envelope(data, 0, length, 100)).toContain(at);
		},
	);

	it("draws first and last, in order, within the number of blocks", () => {
		const { pyramid, data } = grown(noise);
		const kept = pyramid.envelope(data, 17, 9876, 100);
		expect([kept[0], kept.at(-1)]).toEqual([17, 9875]);
		expect(kept.every((at, i) => i === 0 || at > kept[i - 1])).toBe(true);
		expect(kept.length).toBeLessThan(2 * 102 + 2);
	});

	it("is the same however the points arrive", () => {
		const [once, often] = [grown(noise), grown(noise, 7)];
		expect(often.pyramid.levels.map(({ lows }) => [...lows.view()])).toEqual(
			once.pyramid.levels.map(({ lows }) => [...lows.view()]),
		);
	});

	it.each([
		[0, 10_000],
		[3, 5],
		[100, 8191],
		[8191, 10_000],
	])("finds the extremes of %i to %i", (from, to) => {
		const { pyramid, data } = grown(noise);
		const [low, high] = pyramid.extremes(data, from, to);
		const part = noise.slice(from, to);
		expect(data[low]).toBe(Math.min(...part));
		expect(data[high]).toBe(Math.max(...part));
	});

	it("looks past NaN and infinity, and says when there is nothing else", () => {
		const { pyramid, data } = grown([Number.NaN, 2, Infinity, 1, -Infinity]);
		expect(pyramid.extremes(data, 0, 5)).toEqual([3, 1]);
		expect(pyramid.extremes(data, 0, 1)).toEqual([-1, -1]);
	});

	it("leaves a gap where all of a block is NaN", () => {
		const { pyramid, data, length } = grown(noise.fill(Number.NaN, 4000, 6000));
		const kept = pyramid.envelope(data, 0, length, 100);
		expect(kept.some((at) => Number.isNaN(data[at]))).toBe(true);
	});
});
