import { describe, expect, it } from "vitest";
import { extent, track } from "../../test/samples.js";
import { axesOf, drawnAxis, offered } from "./axes.js";

/** @import { Extent, Track } from "../protocol" */
/** @import { PlacedTrack } from "./axes.js" */

/** @param {string} id @param {Partial<Track>} [news] @param {Partial<Extent>} [spans] @returns {PlacedTrack} */
const placed = (id, news, spans) => ({
	track: track(id, news),
	extent: { ...extent(id), ...spans },
});

/** @param {string} id @param {PlacedTrack[]} all */
const spans = (id, ...all) =>
	all.map(({ track, extent }) => {
		const axis = axesOf(id, all).get(track.id);
		return axis && extent[axis.key]?.map((key) => axis.of(key));
	});

describe("offered", () => {
	it("has an axis only where each track knows its factor", () => {
		const known = placed("a", { samples_per_step: 32 });
		expect(offered([known])).toContain("samples");
		expect(offered([known, placed("b")])).not.toContain("samples");
		expect(offered([known])).not.toContain("tokens");
	});

	it("has epochs only where rows or the track name them", () => {
		expect(offered([placed("c")])).toContain("epoch");
		expect(offered([placed("c", {}, { epoch: null })])).not.toContain("epoch");
		const told = placed("c", { steps_per_epoch: 10 }, { epoch: null });
		expect(offered([told])).toContain("epoch");
	});

	it("falls back to steps", () => {
		expect(drawnAxis("tokens", offered([placed("a")]))).toBe("step");
		expect(drawnAxis("wall", offered([placed("a")]))).toBe("wall");
	});
});

describe("axesOf", () => {
	it("counts each track's samples with its own factor", () => {
		expect(
			spans(
				"samples",
				placed("a", { samples_per_step: 10 }, { step: [1, 4] }),
				placed("b", { samples_per_step: 100 }, { step: [1, 2] }),
			),
		).toEqual([
			[10, 40],
			[100, 200],
		]);
	});

	it("counts relative time from each track's own start", () => {
		expect(
			spans(
				"time",
				placed("a", { started_s: 1000 }, { time: [1000, 1001.5] }),
				placed("b", { started_s: 1002 }, { time: [1002, 1002.5] }),
			),
		).toEqual([
			[0, 1.5],
			[0, 0.5],
		]);
	});

	it("shows parts of epochs where their length is known, else whole ones", () => {
		const told = placed("b", { steps_per_epoch: 4 }, { step: [1, 2] });
		expect(spans("epoch", placed("a"), told)).toEqual([
			[1, 10],
			[0.25, 0.5],
		]);
	});

	it("shows hours of a long run", () => {
		const axes = axesOf("time", [placed("a", { started_s: -9000 })]);
		expect(axes.get("a")?.title).toBe("time since start [h]");
	});

	it("places what happened by its step or its time, without a row", () => {
		const [a] = [placed("a", { samples_per_step: 10 })];
		const moment = { step: 7, wall_time_s: 1004 };
		const at = (/** @type {string} */ id) =>
			axesOf(id, [a]).get("a")?.moment(moment);
		expect(["step", "samples", "time", "epoch"].map(at)).toEqual([
			7,
			70,
			4,
			Number.NaN,
		]);
	});

	it.each(["step", "epoch", "time", "wall", "samples", "tokens"])(
		"goes from keys to the axis and back: %s",
		(id) => {
			const factors = {
				samples_per_step: 32,
				tokens_per_step: 4096,
				steps_per_epoch: 7,
			};
			const axis = axesOf(id, [placed("a", factors)]).get("a");
			for (const key of [1, 17, 1_764_492_000.25]) {
				expect(axis?.back(axis.of(key))).toBeCloseTo(key, 6);
			}
		},
	);
});
