import { describe, expect, it } from "vitest";
import PALETTE from "../../../mswidget/drawing/palette.json";
import { readContract } from "../../test/contract.js";
import { head, track } from "../../test/samples.js";
import { initialChoice } from "./choice.js";
import { labelOf, looks, shownTracks } from "./tracks.js";

const COLOURS = PALETTE.curves.light;
const THEME = { palette: COLOURS, muted: "#777777" };
const choice = initialChoice();

/** @import { Track } from "../protocol" */
/**
 * A track and its look; `curve` counts the colours of curves, null is grey.
 * @typedef {Track & {curve: number | null, dash: string}} Told
 */

describe("shownTracks", () => {
	it("are the kernel's, until the reader chooses others", () => {
		const tracks = [track("a"), track("b", { shown: false })];
		const seen = (/** @type {Record<string, boolean>} */ chosen) =>
			shownTracks(head({ tracks }), { ...choice, tracks: chosen }).map(
				({ id }) => id,
			);
		expect(seen({})).toEqual(["a"]);
		expect(seen({ a: false, b: true })).toEqual(["b"]);
	});
});

describe("looks", () => {
	const rank = (/** @type {number} */ rank) =>
		track(`0.${rank}`, { rank, label: `run · rank ${rank}` });
	const other = track("1.0", { run: "other", label: "other", colour: 1 });

	// tests/pictures/test_looks.py has the same of plotly.py's figure and the picture.
	it.each(readContract("looks"))("are as $name says", (example) => {
		/** @type {Told[]} */
		const told = example.looks;
		const shown = told.map(({ curve, dash, ...news }, i) =>
			track(`${i}`, news),
		);
		expect(shown.map(looks(shown, THEME))).toEqual(
			told.map(({ curve, dash }) => ({
				color: curve === null ? THEME.muted : COLOURS[curve],
				dash,
			})),
		);
	});

	it("leaves a run its colour when the others are hidden", () => {
		const [{ color }] = [other].map(looks([other], THEME));
		expect(color).toBe(COLOURS[1]);
	});

	it("names the run only where there are several", () => {
		expect(labelOf(rank(1), [rank(0), rank(1)])).toBe("rank 1");
		expect(labelOf(rank(1), [rank(1)])).toBe("");
		expect(labelOf(rank(1), [rank(1), other])).toBe("run · rank 1");
	});
});
