import { describe, expect, it } from "vitest";
import { track, trackChunk } from "../../test/samples.js";
import { History } from "../data/history.js";
import { column, holdings } from "../data/tracks.js";
import { attempts } from "./attempts.js";
import { axesOf } from "./axes.js";
import { through } from "./curve.js";

/** @import { Piece } from "./pieces.js" */

const RESUMED = [1, 2, 3, 4, 3, 4, 5];

/** @param {number[]} logged steps @param {string} x @param {number[]} [begins] */
function drawn(logged, x, begins = []) {
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
	const view = { axis, range: null, pixels: 300, exact: 2000 };
	/** @param {Piece[]} pieces */
	const values = (pieces) => [...through(pieces, view, null).y];
	return { current: values(current), earlier: values(earlier), replaced };
}

describe("attempts", () => {
	it("draws one line where nothing was trained again", () => {
		expect(drawn([1, 2, 3], "step")).toEqual({
			current: [1, 2, 3],
			earlier: [],
			replaced: 0,
		});
	});

	it("keeps what was trained again as a line of its own, never backwards", () => {
		expect(drawn(RESUMED, "step")).toEqual({
			current: [1, 2, Number.NaN, 3, 4, 5],
			earlier: [2, 3, 4],
			replaced: 2,
		});
	});

	it("draws attempts apart over time", () => {
		expect(drawn(RESUMED, "time")).toEqual({
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
		expect(drawn([1, 2, 3, 4, 3, 4, 2], "step")).toEqual({
			current: [1, Number.NaN, 2],
			earlier: [1, 2, 3, 4, Number.NaN, 3, 4],
			replaced: 5,
		});
	});
});
