import { describe, expect, it } from "vitest";
import PALETTES from "../../../mswidget/drawing/palette.json";
import { contract, head, track, trackChunk } from "../../test/samples.js";
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

const PALETTE = PALETTES.light;
const THEME = { palette: PALETTE, muted: "#777777" };
const choice = initialChoice();

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
	const rank = (/** @type {number} */ dash) =>
		track(`0.${dash}`, { rank: dash, dash, label: `run · rank ${dash}` });
	const other = track("1.0", { run: "other", label: "other", colour: 1 });

	it("tells runs apart by colour and their ranks by dash", () => {
		const shown = [rank(0), rank(1), other];
		const seen = shown.map(looks(shown, THEME));
		expect(seen.map(({ color }) => color)).toEqual([
			PALETTE[0],
			PALETTE[0],
			PALETTE[1],
		]);
		expect(seen.map(({ dash }) => dash)).toEqual(["solid", "dash", "solid"]);
	});

	// tests/records/test_figure.py has the same of plotly.py's figure.
	it("gives the ranks of a run alone the colours of the palette in turn", () => {
		const shown = [rank(0), rank(1), rank(2)];
		const seen = shown.map(looks(shown, THEME));
		expect(seen.map(({ color }) => color)).toEqual(PALETTE.slice(0, 3));
		expect(new Set(seen.map(({ dash }) => dash)).size).toBe(1);
	});

	it("leaves a run its colour when the others are hidden", () => {
		const [{ color }] = [other].map(looks([other], THEME));
		expect(color).toBe(PALETTE[1]);
	});

	it("has what the ranks of a run have in common in no colour of theirs", () => {
		const band = track("m", { stat: "min" });
		const { color } = looks([rank(0), band], THEME)(band);
		expect(color).toBe(THEME.muted);
	});

	it("names the run only where there are several", () => {
		expect(labelOf(rank(1), [rank(0), rank(1)])).toBe("rank 1");
		expect(labelOf(rank(1), [rank(1)])).toBe("");
		expect(labelOf(rank(1), [rank(1), other])).toBe("run · rank 1");
	});
});
