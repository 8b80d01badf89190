import { describe, expect, it } from "vitest";
import {
	drawnTrack,
	head,
	rows,
	storeOf,
	theme,
	track,
} from "../../test/samples.js";
import { drawnTracksOf } from "../curve/drawn_tracks.js";
import { initialChoice } from "../data/choice.js";
import { markLines } from "./marks.js";

/** @import { Mark } from "../protocol" */

/** @param {Mark[]} marks @param {string} [attempt] */
const ofOne = (marks, attempt = "a1") =>
	markLines(
		head({ run: { ...head().run, attempt }, marks }),
		[drawnTrack()],
		[0, 10_000],
		900,
	);

/** @param {[number, string][]} marks @param {string} [attempt] */
const drawn = (marks, attempt) =>
	ofOne(
		marks.map(([step, kind]) => ({
			step,
			wall_time_s: 0,
			kind,
			text: `${kind} ${step}`,
			track: "",
		})),
		attempt,
	);

describe("markLines", () => {
	it("draws the end of an epoch and how the run ended", () => {
		const kinds = drawn([
			[10, "epoch_end"],
			[12, "failed"],
			[12, "train_end"],
		]);
		expect(kinds.map(({ kind }) => kind)).toEqual(["epoch_end", "failed"]);
	});

	it("draws a begin only where an earlier attempt goes on", () => {
		expect(drawn([[1, "train_begin"]])).toEqual([]);
		expect(drawn([[1, "train_begin"]], "a2").length).toBe(1);
		expect(
			drawn(
				[
					[1, "train_begin"],
					[50, "train_begin"],
				],
				"a2",
			).map(({ x }) => x),
		).toEqual([50]);
		expect(
			drawn([
				[1, "train_begin"],
				[50, "train_begin"],
			]).length,
		).toBe(1);
	});

	it("names the last of the checkpoints and of the skipped updates", () => {
		const marks = drawn([
			[100, "checkpoint"],
			[4000, "checkpoint"],
			[4010, "skipped"],
		]);
		expect(marks.map(({ x, text }) => [x, text])).toEqual(
			expect.arrayContaining([
				[100, ""],
				[4000, "checkpoint"],
				[4010, "skipped"],
			]),
		);
	});

	it("names the metric that was no number, whatever others are", () => {
		/** @param {number} step @param {string} metric */
		const at = (step, metric) => ({
			step,
			wall_time_s: 0,
			kind: "no_number",
			text: `${metric}: no number`,
			metric,
			track: "",
		});
		const many = Array.from({ length: 100 }, (_, i) => at(i, "loss"));
		const drawn = ofOne([at(5000, "lr"), ...many]);
		expect(
			drawn.filter(({ text }) => text).map(({ x, text }) => [x, text]),
		).toEqual([
			[5000, "lr: no number"],
			[98, "loss: no number"],
		]);
		expect(drawn.length).toBeLessThan(40);
	});

	it("draws alerts of one step that say the same once", () => {
		const marks = Array.from({ length: 5 }, () => [7, "alert"]);
		expect(drawn(/** @type {[number, string][]} */ (marks)).length).toBe(1);
	});

	it("thins very many alerts and skipped updates", () => {
		for (const kind of ["alert", "skipped"]) {
			const marks = Array.from({ length: 200 }, (_, i) => [i, kind]);
			const few = drawn(/** @type {[number, string][]} */ (marks));
			expect(few.length).toBeLessThan(40);
			expect(few.length).toBeGreaterThan(20);
		}
	});

	it("draws an event of any kind with its name", () => {
		const marks = [
			{ ...mark(5, "换数据集", ""), text: "" },
			{ ...mark(7, "lr_drop", ""), text: "factor 0.1" },
		];
		expect(ofOne(marks).map(({ text }) => text)).toEqual([
			"换数据集",
			"lr_drop: factor 0.1",
		]);
	});

	it("draws where an evaluation was, without a label", () => {
		expect(drawn([[5, "eval"]])).toMatchObject([
			{ x: 5, kind: "eval", text: "" },
		]);
	});

	it("thins a thousand epochs, but no failure", () => {
		/** @type {[number, string][]} */
		const epochs = Array.from({ length: 1000 }, (_, i) => [
			10 * i,
			"epoch_end",
		]);
		const thinned = drawn([...epochs, [77, "failed"]]);
		expect(thinned.length).toBeLessThan(45);
		expect(thinned.at(-1)?.text).toBe("failed");
	});

	it("draws each of many events, and says where the run failed", () => {
		/** @type {[number, string][]} */
		const events = Array.from({ length: 99 }, (_, i) => [i, "lr_drop"]);
		const all = drawn([...events, [99, "failed"]]);
		expect(all.length).toBe(100);
		expect(all.filter(({ text }) => text).length).toBeLessThan(12);
		expect(all.at(-1)?.text).toBe("failed");
	});

	it("shortens a long label", () => {
		const text = "offset 5, because the checkpoint says so";
		const [line] = ofOne([{ ...mark(5, "epoch_end", ""), text }]);
		expect(line.text).toBe("offset 5, because the checkpo…");
	});
});

/** @param {number} step @param {string} kind @param {string} id @returns {Mark} */
const mark = (step, kind, id) => ({
	step,
	wall_time_s: 0,
	kind,
	text: kind,
	track: id,
});

/** @param {Mark[]} marks @param {string[]} [runs] */
function ofRuns(marks, runs = ["run", "other"]) {
	const tracks = runs.map((run, i) =>
		track(`${i}.0`, { run, label: run, colour: i }),
	);
	const histories = tracks.map(({ id }) => [id, rows([1, 2, 3, 4])]);
	const store = storeOf(Object.fromEntries(histories), { tracks, marks });
	const drawnTracks = drawnTracksOf(store, initialChoice(), theme);
	return markLines(store.head, drawnTracks?.tracks ?? [], [0, 9], 900);
}

describe("markLines of several tracks", () => {
	it("marks where later attempts begin, in the colour of their run", () => {
		const marks = [0, 2].map((step) => mark(step, "train_begin", "1.0"));
		expect(ofRuns([mark(0, "train_begin", "0.0"), ...marks])).toMatchObject([
			{ x: 2, text: "other: train_begin", color: "#222222" },
		]);
	});

	it("draws what comes often only of the run that is looked at", () => {
		const marks = ["0.0", "1.0"].map((id) => mark(2, "epoch_end", id));
		expect(ofRuns(marks).map(({ color }) => color)).toEqual(["#111111"]);
	});

	it("says on whose curve an alert is", () => {
		const marks = ["0.7", "1.0"].map((id) => mark(2, "alert", id));
		expect(ofRuns(marks).map(({ track }) => track)).toEqual([undefined, "1.0"]);
	});

	it("leaves the marks of one run alone in their own colours", () => {
		const [line] = ofRuns([mark(3, "failed", "0.0")], ["run"]);
		expect([line.text, line.color]).toEqual(["failed", undefined]);
	});
});
