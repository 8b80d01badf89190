import { describe, expect, it } from "vitest";
import { head, track, trackChunk } from "../../test/samples.js";
import { drawnTracksOf } from "../curve/drawn_tracks.js";
import { initialChoice } from "../data/choice.js";
import { createStore } from "../data/store.js";
import { trackMarkLines } from "./track_marks.js";

/** @import { Mark } from "../protocol" */

/** @param {number} step @param {string} kind @param {string} id @returns {Mark} */
const mark = (step, kind, id) => ({ step, kind, text: kind, track: id });

/** @param {Mark[]} marks @param {string[]} [runs] */
function drawn(marks, runs = ["run", "other"]) {
	const tracks = runs.map((run, i) =>
		track(`${i}.0`, { run, label: run, colour: i }),
	);
	const store = createStore(head({ tracks, marks }));
	for (const { id } of tracks) {
		store.history.add(trackChunk(id, store.history.stop, [1, 2, 3, 4]));
	}
	const drawnTracks = drawnTracksOf(store, initialChoice(), [
		"#111111",
		"#222222",
	]);
	return trackMarkLines(store.head, drawnTracks?.tracks ?? [], [0, 9], 900);
}

describe("trackMarkLines", () => {
	it("marks where later attempts begin, in the colour of their run", () => {
		const marks = [0, 2].map((step) => mark(step, "train_begin", "1.0"));
		expect(drawn([mark(0, "train_begin", "0.0"), ...marks])).toMatchObject([
			{ x: 2, text: "other: train_begin", color: "#222222" },
		]);
	});

	it("draws what comes often only of the run that is looked at", () => {
		const marks = ["0.0", "1.0"].map((id) => mark(2, "epoch_end", id));
		expect(drawn(marks).map(({ color }) => color)).toEqual(["#111111"]);
	});

	it("says on whose curve an alert is", () => {
		const marks = ["0.7", "1.0"].map((id) => mark(2, "alert", id));
		expect(drawn(marks).map(({ track }) => track)).toEqual([undefined, "1.0"]);
	});

	it("leaves the marks of one run alone in their own colours", () => {
		const [line] = drawn([mark(3, "failed", "0.0")], ["run"]);
		expect([line.text, line.color]).toEqual(["failed", undefined]);
	});
});
