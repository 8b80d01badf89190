import { describe, expect, it } from "vitest";
import { head, status } from "../../test/samples.js";
import { axis } from "../curve/axes.js";
import { markLines } from "./marks.js";

const steps = axis("step", status(), 0);

/** @param {[number, string][]} marks @param {string} [attempt] */
const drawn = (marks, attempt = "a1") =>
	markLines(
		head({
			run: { ...head().run, attempt },
			marks: marks.map(([step, kind]) => ({
				step,
				kind,
				text: `${kind} ${step}`,
			})),
		}),
		steps,
		[],
		[0, 10_000],
		900,
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
			{ step: 5, kind: "换数据集", text: "" },
			{ step: 7, kind: "lr_drop", text: "factor 0.1" },
		];
		const made = markLines(head({ marks }), steps, [], [0, 10], 900);
		expect(made.map(({ text }) => text)).toEqual([
			"换数据集",
			"lr_drop: factor 0.1",
		]);
	});

	it("draws where an evaluation was, without a label", () => {
		expect(drawn([[5, "eval"]])).toEqual([{ x: 5, kind: "eval", text: "" }]);
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
		const marks = [{ step: 5, kind: "epoch_end", text }];
		const [line] = markLines(head({ marks }), steps, [], [0, 10], 900);
		expect(line.text).toBe("offset 5, because the checkpo…");
	});
});
