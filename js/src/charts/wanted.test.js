import { describe, expect, it } from "vitest";
import {
	answer,
	head,
	rows,
	storeOf,
	theme,
	track,
} from "../../test/samples.js";
import { drawnTracksOf } from "../curve/drawn_tracks.js";
import { initialChoice } from "../data/choice.js";
import { planOf } from "../panels/plan.js";
import { chartLines } from "./chart_lines.js";
import { wanted } from "./wanted.js";

/** @import { Choice } from "../data/choice.js" */
/** @import { Rows } from "../data/rows.js" */

const [info] = head().metrics;
const LOSS = planOf(info);
const LR = planOf({ ...info, name: "lr" });

/** @param {Record<string, Rows>} histories @param {Partial<Choice>} [choice] */
function page(histories, choice) {
	const tracks = Object.keys(histories).map((id) =>
		track(id, { run: id, label: id, samples_per_step: 32 }),
	);
	const store = storeOf(histories, { tracks });
	const chosen = { ...initialChoice(), ...choice };
	const drawnTracks = drawnTracksOf(store, chosen, theme);
	if (!drawnTracks) throw new Error("no track has rows");
	const charts = [
		{ plan: LOSS, width: 758 },
		{ plan: LR, width: 358 },
	];
	const ask = () => wanted(charts, [], drawnTracks, chosen, store);
	return { store, drawnTracks, ask };
}

const LONG = rows(new Float64Array(70_000));

describe("what a page wants", () => {
	it("is each metric in view of each track, the main panel first, as finely as it is wide", () => {
		const { wants } = page({ a: LONG, b: LONG }).ask();
		expect(
			wants.map(({ track, metrics, level }) => [track, metrics, level]),
		).toEqual([
			["a", ["loss"], 7],
			["b", ["loss"], 7],
			["a", ["lr"], 8],
			["b", ["lr"], 8],
		]);
		expect(wants[0]).toMatchObject({
			key: "step",
			begin: null,
			end: null,
			weight: 0,
		});
	});

	it("is a part of it where the reader has zoomed in, by the steps behind an axis", () => {
		const [want] = page({ a: LONG }, { x: "samples", range: [320, 3200] }).ask()
			.wants;
		expect([want.key, want.begin, want.end, want.level]).toEqual([
			"step",
			10,
			100,
			0,
		]);
	});

	it("is by time where the axis is", () => {
		const [want] = page({ a: LONG }, { x: "time", range: [1, 2] }).ask().wants;
		expect([want.key, want.begin, want.end]).toEqual(["time", 4600, 8200]);
	});

	it("is what each metric comes to of the track that is looked at", () => {
		const { track, summaries } = page({ run: LONG, other: LONG }).ask();
		expect([track, summaries]).toEqual(["run", ["loss"]]);
	});

	it("goes on to tracks that have the metric, beyond those that lack it", () => {
		const lacking = Array.from({ length: 20 }, (_, i) => [
			`l${i}`,
			rows([1], { metric: "lr" }),
		]);
		const having = Array.from({ length: 20 }, (_, i) => [`h${i}`, rows([1])]);
		const histories = Object.fromEntries([...lacking, ...having]);
		const { store, drawnTracks, ask } = page(histories);
		const asked = () =>
			ask().wants.filter(({ metrics }) => metrics.includes("loss")).length;
		expect(asked()).toBe(32);
		answer(store, histories, ask().wants);
		expect(asked()).toBe(40);
		expect(chartLines(LOSS, drawnTracks, store).drawn.length).toBe(20);
	});
});
