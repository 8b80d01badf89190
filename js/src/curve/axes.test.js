import { describe, expect, it } from "vitest";
import { track, trackChunk } from "../../test/samples.js";
import { History } from "../data/history.js";
import { holdings } from "../data/tracks.js";
import { axesOf, drawnAxis, extentOf, offered } from "./axes.js";

/** @import { Track } from "../protocol" */

const history = new History();
history.add(trackChunk("a", 0, [1, 2, 3, 4]));
history.add(trackChunk("b", 4, [1, 2]));
const held = holdings(history.segments);

/** @param {string} id @param {Partial<Track>} [news] */
const placed = (id, news) => ({
	track: track(id, news),
	held: held.get(id)?.get("loss") ?? [],
});

/** @param {string} id @param {ReturnType<typeof placed>[]} all */
const extents = (id, ...all) =>
	all.map((heldTrack) => {
		const axis = axesOf(id, all).get(heldTrack.track.id);
		return axis && extentOf(axis, heldTrack.held);
	});

describe("offered", () => {
	it("has an axis only where each track knows its factor", () => {
		const known = placed("a", { samples_per_step: 32 });
		expect(offered([known])).toContain("samples");
		expect(offered([known, placed("b")])).not.toContain("samples");
		expect(offered([known])).not.toContain("tokens");
	});

	it("has epochs only where rows or the track name them", () => {
		const bare = new History();
		const rows = trackChunk("c", 0, [1, 2]);
		bare.add({ ...rows, epochs: rows.epochs.fill(Number.NaN) });
		const own = holdings(bare.segments).get("c")?.get("loss") ?? [];
		const nameless = { track: track("c"), held: own };
		expect(offered([nameless])).not.toContain("epoch");
		nameless.track.steps_per_epoch = 10;
		expect(offered([nameless])).toContain("epoch");
	});

	it("falls back to steps", () => {
		expect(drawnAxis("tokens", offered([placed("a")]))).toBe("step");
		expect(drawnAxis("wall", offered([placed("a")]))).toBe("wall");
	});
});

describe("axesOf", () => {
	it("counts each track's samples with its own factor", () => {
		expect(
			extents(
				"samples",
				placed("a", { samples_per_step: 10 }),
				placed("b", { samples_per_step: 100 }),
			),
		).toEqual([
			[10, 40],
			[100, 200],
		]);
	});

	it("counts relative time from each track's own start", () => {
		expect(
			extents(
				"time",
				placed("a", { started_s: 1000 }),
				placed("b", { started_s: 1002 }),
			),
		).toEqual([
			[0, 1.5],
			[0, 0.5],
		]);
	});

	it("shows parts of epochs where their length is known, else whole ones", () => {
		const told = placed("b", { steps_per_epoch: 4 });
		expect(extents("epoch", placed("a"), told)).toEqual([
			[1, 1],
			[0.25, 0.5],
		]);
	});

	it("shows hours of a long run", () => {
		const axes = axesOf("time", [placed("a", { started_s: -9000 })]);
		expect(axes.get("a")?.title).toBe("time since start [h]");
	});

	it("finds a step in the rows of its own track", () => {
		const both = [placed("a"), placed("b")];
		const at = axesOf("time", both).get("b")?.step(2);
		expect(at).toBe(2.5);
	});
});
