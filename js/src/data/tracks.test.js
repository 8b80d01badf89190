import { describe, expect, it } from "vitest";
import PALETTE from "../../../mswidget/drawing/palette.json";
import {
	contract,
	head,
	readContract,
	track,
	trackChunk,
} from "../../test/samples.js";
import { initialChoice } from "./choice.js";
import { decode } from "./frames.js";
import { History } from "./history.js";
import {
	column,
	holdings,
	labelOf,
	looks,
	metricNames,
	shownTracks,
} from "./tracks.js";

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

describe("holdings", () => {
	it("finds each track's metrics as the kernel names them", () => {
		const [{ message, buffer }] = contract().filter(
			({ name }) => name === "tracks.json",
		);
		const history = new History();
		history.add(decode(message.block, buffer));
		const held = holdings(history.segments);
		const [a, b] = ("head" in message && message.head?.tracks) || [];
		expect([...held.keys()]).toEqual([a?.id, b?.id]);
		expect([...(held.get("1.0")?.keys() ?? [])]).toEqual(["loss", "损失/框"]);
	});
});

describe("metricNames", () => {
	it("are those of the tracks that are shown", () => {
		const history = new History();
		history.add(trackChunk("a", 0, [1]));
		const tracks = [track("a")];
		expect([
			...metricNames(head({ tracks }), history.segments, choice),
		]).toEqual(["loss"]);
		const hidden = { ...choice, tracks: { a: false } };
		expect(metricNames(head({ tracks }), history.segments, hidden).size).toBe(
			0,
		);
	});
});

describe("column", () => {
	it("of a live run is its metric", () => {
		expect(column("", "loss/a")).toBe("loss/a");
		const history = new History();
		history.add(trackChunk("", 0, [1]));
		expect([...(holdings(history.segments).get("")?.keys() ?? [])]).toEqual([
			"loss",
		]);
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
