import { describe, expect, it } from "vitest";
import { chunk } from "../../test/samples.js";
import { cut } from "./frames.js";
import { History, without } from "./history.js";
import { thin } from "./thin.js";

const whole = chunk(
	0,
	Array.from({ length: 3000 }, (_, i) => Math.sin(i * i)),
);

/** @param {History} history */
const values = (history) =>
	history.segments.flatMap(({ series }) => [
		...(series.get("loss")?.values.view() ?? []),
	]);

/** @param {[number, number][]} ranges of `whole`, added in this order */
function built(...ranges) {
	const history = new History();
	for (const [start, stop] of ranges) history.add(cut(whole, start, stop));
	return history;
}

describe("History", () => {
	it("replaces what other tracks have beside it, and leaves the rest", () => {
		const history = built([0, 3]);
		history.setBeside(chunk(-4, [7, 7, 7, 7]));
		history.setBeside(chunk(-2, [8, 8]));
		history.setBeside({ ...chunk(-3, [9, 9, 9]), reduced: true });
		const kept = [...whole.columns.values()][0].values.slice(0, 3);
		expect(values(history)).toEqual([9, 9, 9, ...kept]);
		expect([history.stop, history.missing()]).toEqual([3, []]);
	});

	it("takes earlier attempts in before row 0, and misses what it has not got", () => {
		const history = built([0, 3]);
		history.add({ ...chunk(-4, [9, 6]), stop: 0, reduced: true });
		expect([history.first, history.missing()]).toEqual([-4, [[-4, 0]]]);
		history.add(chunk(-4, [9, 8]));
		expect(history.missing()).toEqual([[-2, 0]]);
		history.add(chunk(-2, [7, 6]));
		const kept = [...whole.columns.values()][0].values.slice(0, 3);
		expect(values(history)).toEqual([9, 8, 7, 6, ...kept]);
		expect([history.missing(), history.segments.length]).toEqual([[], 1]);
	});

	it.each([
		{ ranges: [[0, 3000]] },
		{
			ranges: [
				[0, 1000],
				[1000, 3000],
			],
		},
		{
			ranges: [
				[2000, 3000],
				[0, 2000],
			],
		},
		{
			ranges: [
				[0, 10],
				[20, 3000],
				[5, 25],
			],
		},
		{
			ranges: [
				[0, 3000],
				[100, 200],
				[0, 3000],
			],
		},
	])("is one exact history after rows $ranges", ({ ranges }) => {
		const history = built(.../** @type {[number, number][]} */ (ranges));
		expect(history.segments.length).toBe(1);
		expect(values(history)).toEqual([
			...(whole.columns.get("loss")?.values ?? []),
		]);
		expect(history.missing()).toEqual([]);
	});

	it("knows which rows were lost on the way", () => {
		const history = built([0, 10], [15, 20], [30, 40]);
		expect(history.missing()).toEqual([
			[10, 15],
			[20, 30],
		]);
	});

	it("replaces an envelope by the exact rows as they arrive", () => {
		const history = new History();
		history.add(thin(whole));
		expect(history.missing()).toEqual([[0, 3000]]);
		history.add(cut(whole, 1000, 2000));
		expect(history.missing()).toEqual([
			[0, 1000],
			[2000, 3000],
		]);
		history.add(whole);
		expect(values(history)).toEqual([
			...(whole.columns.get("loss")?.values ?? []),
		]);
	});

	it("does not let an older envelope hide exact rows", () => {
		const history = built([0, 3000]);
		history.add(thin(whole));
		expect(history.missing()).toEqual([]);
	});

	it("stays in its budget however long the run", () => {
		const history = new History(100_000);
		for (let start = 0; start < 60_000; start += 3000) {
			history.add(
				chunk(start, Float64Array.from({ length: 3000 }, Math.random)),
			);
		}
		expect(history.bytes).toBeLessThanOrEqual(100_000);
		expect(history.missing()).toEqual([]);
		expect(history.floor).toBeGreaterThan(50_000);
	});

	it("keeps a spike and a NaN of the rows that it thins", () => {
		const history = new History(100_000);
		const spiky = new Float64Array(3000).with(777, 99).with(778, Number.NaN);
		history.add(chunk(0, spiky));
		for (let start = 3000; start < 30_000; start += 3000) {
			history.add(chunk(start, new Float64Array(3000)));
		}
		expect(values(history)).toContain(99);
		expect(values(history).some(Number.isNaN)).toBe(true);
	});
});

describe("without", () => {
	it("leaves what is not covered", () => {
		const covered = [
			{ start: 2, stop: 4 },
			{ start: 6, stop: 12 },
		];
		expect(without([0, 10], covered)).toEqual([
			[0, 2],
			[4, 6],
		]);
	});
});
