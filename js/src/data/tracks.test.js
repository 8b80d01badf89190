import { describe, expect, it } from "vitest";
import { contract, head, track, trackChunk } from "../../test/samples.js";
import { initialChoice } from "./choice.js";
import { decode } from "./frames.js";
import { History } from "./history.js";
import {
	columnsOfMain,
	holdings,
	labelOf,
	looks,
	metricNames,
	shownTracks,
} from "./tracks.js";

const PALETTE = ["#000001", "#000002", "#000003"];
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

describe("columnsOfMain", () => {
	it("names the columns of the rank that the header speaks of", () => {
		const tracks = [track("a", { rank: 1 }), track("b", { rank: 0 })];
		const { metrics } = head();
		const [info] = columnsOfMain(head({ tracks }), metrics);
		expect([info.name, info.label]).toEqual(["b\x1floss", "loss"]);
		expect(columnsOfMain(head(), metrics)).toBe(metrics);
	});
});

describe("looks", () => {
	const rank = (/** @type {number} */ dash) =>
		track(`0.${dash}`, { rank: dash, dash, label: `run · rank ${dash}` });
	const other = track("1.0", { run: "other", label: "other", colour: 1 });

	it("tells runs apart by colour and their ranks by dash", () => {
		const shown = [rank(0), rank(1), other];
		const seen = shown.map(looks(shown, PALETTE));
		expect(seen.map(({ color }) => color)).toEqual([
			PALETTE[0],
			PALETTE[0],
			PALETTE[1],
		]);
		expect(seen.map(({ dash }) => dash)).toEqual(["solid", "dash", "solid"]);
	});

	it("tells ranks of a run alone apart by colour, none in that of the band", () => {
		const shown = [rank(0), rank(1), rank(2)];
		const seen = shown.map(looks(shown, PALETTE));
		expect(new Set(seen.map((look) => JSON.stringify(look))).size).toBe(3);
		expect(seen[0].color).not.toBe(
			looks(shown, PALETTE)(track("m", { stat: "min" })).color,
		);
	});

	it("names the run only where there are several", () => {
		expect(labelOf(rank(1), [rank(0), rank(1)])).toBe("rank 1");
		expect(labelOf(rank(1), [rank(1), other])).toBe("run · rank 1");
	});
});
