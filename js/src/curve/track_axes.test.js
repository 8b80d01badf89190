import { describe, expect, it } from "vitest";
import { track, trackChunk } from "../../test/samples.js";
import { History } from "../data/history.js";
import { holdings } from "../data/tracks.js";
import { axesOf, drawnAxis, extentOf, offered } from "./track_axes.js";

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

	it("finds a step in the rows of its own track", () => {
		const both = [placed("a"), placed("b")];
		const at = axesOf("time", both).get("b")?.step(2, []);
		expect(at).toBe(2.5);
	});
});
