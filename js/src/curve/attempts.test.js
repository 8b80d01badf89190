import { describe, expect, it } from "vitest";
import { track, trackChunk } from "../../test/samples.js";
import { History } from "../data/history.js";
import { column, holdings } from "../data/tracks.js";
import { attempts } from "./attempts.js";
import { axesOf } from "./axes.js";
import { through } from "./curve.js";

const RESUMED = [1, 2, 3, 4, 3, 4, 5];

/**
 * @param {number[]} logged steps
 * @param {string} x
 * @param {number[]} [begins]
 * @param {[number, number] | null} [range]
 */
function drawn(logged, x, begins = [], range = null) {
	const history = new History();
	// Another track's row comes between.
	history.add(trackChunk("a", 0, logged.slice(0, 2), logged.slice(0, 2)));
	history.add(trackChunk("b", 2, [9]));
	history.add(trackChunk("a", 3, logged.slice(2), logged.slice(2)));
	const held = holdings(history.segments).get("a")?.get("loss") ?? [];
	const axis = axesOf(x, [{ track: track("a"), held }]).get("a");
	if (!axis) throw new Error("there is no axis");
	const { current, earlier, replaced } = attempts(
		history.segments,
		column("a", "loss"),
		axis,
		begins,
	);
	const view = { axis, range, pixels: 300, exact: 2000 };
	const lines = [current, earlier].map((of) => through(of, view, null));
	return {
		current: [...lines[0].y],
		earlier: [...lines[1].y],
		replaced,
		counts: lines.map(({ total, drawn }) => [total, drawn]),
	};
}

describe("attempts", () => {
	it("draws one line where nothing was trained again", () => {
		expect(drawn([1, 2, 3], "step")).toMatchObject({
			current: [1, 2, 3],
			earlier: [],
			replaced: 0,
		});
	});

	it("keeps what was trained again as a line of its own, never backwards", () => {
		expect(drawn(RESUMED, "step")).toMatchObject({
			current: [1, 2, Number.NaN, 3, 4, 5],
			earlier: [2, 3, 4],
			replaced: 2,
		});
	});

	it("counts each point once, also where lines join", () => {
		const again = [1, 2, 3, 4, 3, 4, 2];
		for (const logged of [[1, 2, 3], RESUMED, again]) {
			const { counts } = drawn(logged, "step");
			expect(counts[0][0] + counts[1][0]).toBe(logged.length);
			expect(counts.every(([total, shown]) => total === shown)).toBe(true);
		}
	});

	it("counts what is in view, not where lines run out of it", () => {
		expect(drawn(RESUMED, "step", [], [4, 9]).counts).toEqual([
			[2, 2],
			[1, 1],
		]);
		const between = drawn(RESUMED, "step", [], [3.2, 3.8]);
		expect(between.counts).toEqual([
			[0, 0],
			[0, 0],
		]);
		expect(between.earlier).toEqual([3, 4]);
	});

	it("draws attempts apart over time", () => {
		expect(drawn(RESUMED, "time")).toMatchObject({
			current: [1, 2, 3, 4, Number.NaN, 3, 4, 5],
			earlier: [],
			replaced: 0,
		});
	});

	it("begins a new line where an attempt goes on at the next step", () => {
		expect(drawn([1, 2, 3, 4], "step", [3]).current).toEqual([
			1,
			2,
			3,
			Number.NaN,
			4,
		]);
	});

	it("keeps the lines of three attempts apart", () => {
		expect(drawn([1, 2, 3, 4, 3, 4, 2], "step")).toMatchObject({
			current: [1, Number.NaN, 2],
			earlier: [1, 2, 3, 4, Number.NaN, 3, 4],
			replaced: 5,
		});
	});
});
