import { describe, expect, it } from "vitest";
import {
	answer,
	head,
	options,
	rows,
	storeOf,
	theme,
	track,
} from "../../test/samples.js";
import { drawnTracksOf } from "../curve/drawn_tracks.js";
import { initialChoice } from "../data/choice.js";
import { planOf } from "../panels/plan.js";
import { chartDrawing } from "./chart_drawing.js";
import { wanted } from "./wanted.js";

/** @import { Rows } from "../data/rows.js" */
/** @import { Options } from "../draw/layout.js" */
/** @import { Plan } from "../panels/plan.js" */
/** @import { Track } from "../protocol" */

/**
 * @param {Record<string, number[]>} values by track
 * @param {Record<string, Partial<Track>>} news
 * @param {Partial<Options>} [given]
 */
function picture(values, news = {}, given = {}) {
	const tracks = Object.keys(values).map((id) =>
		track(id, { label: `run · ${id}`, ...news[id] }),
	);
	const histories = Object.fromEntries(
		Object.entries(values).map(([id, own]) => [id, rows(own)]),
	);
	return drawn(planOf(head().metrics[0]), histories, tracks, given);
}

/**
 * @param {Plan} plan
 * @param {Record<string, Rows>} histories
 * @param {Track[]} tracks
 * @param {Partial<Options>} [given]
 */
function drawn(plan, histories, tracks, given = {}) {
	const store = storeOf(histories, { tracks });
	const request = { plan, range: null, options: options(given), yaxis: {} };
	const drawnTracks = drawnTracksOf(store, initialChoice(), theme);
	if (!drawnTracks) throw new Error("no track has values");
	const { wants } = wanted(
		[{ plan, width: 800 }],
		[],
		drawnTracks,
		initialChoice(),
		store,
	);
	answer(store, histories, wants);
	const shown = chartDrawing(request, drawnTracks, store);
	const data = /** @type {any[]} */ (shown.drawing.data);
	return { ...shown, data };
}

describe("a chart of several tracks", () => {
	it("has a line for each, in a colour of its own, with its name", () => {
		const { data } = picture({ a: [3, 2], b: [5, 4] }, { b: { rank: 1 } });
		expect(data.map(({ name, y }) => [name, [...y]])).toEqual([
			["a", [3, 2]],
			["b", [5, 4]],
		]);
		expect(data[0].line.color).not.toBe(data[1].line.color);
		expect(data[1].hovertemplate).toContain("%{fullData.name}");
	});

	it("fills the band between lowest and highest, with a rank on top", () => {
		const { data } = picture(
			{ "0.0": [2, 2], min: [1, 1], max: [3, 3] },
			{
				min: { stat: "min", label: "run · min of 2 ranks" },
				max: { stat: "max", label: "run · max of 2 ranks" },
			},
		);
		expect(data.map(({ name }) => name)).toEqual(["min–max of 2 ranks", "0.0"]);
		expect(data[0]).toMatchObject({ fill: "toself", y: [1, 1, 3, 3] });
	});

	it("leaves out of a log band what has no place on it", () => {
		const stats = { min: { stat: "min" }, max: { stat: "max" } };
		const { data } = picture(
			{ min: [0, 1], max: [3, 3] },
			/** @type {any} */ (stats),
			{ log: true },
		);
		expect(data[0].y).toEqual([1, 3, 3]);
	});

	it("marks NaN and infinity in the colour of their track", () => {
		const { data } = picture({ a: [1, Number.NaN], b: [2, 2] });
		const line = data.find(
			({ name, mode }) => name === "a" && mode === "lines",
		);
		const mark = data.find(({ mode }) => mode === "markers");
		expect(mark.marker).toMatchObject({ symbol: "x", color: line.line.color });
	});

	it("puts an alert on the curve of its own track", () => {
		const alert = { x: 2, kind: "alert", text: "alert: odd", track: "b" };
		const { data } = picture(
			{ a: [9, 9, 9], b: [1, 5, 1] },
			{},
			{ markLines: [alert] },
		);
		const alerts = data.filter(({ name }) => name === "alert");
		expect(alerts.map(({ x, y, text }) => [x, y, text])).toEqual([
			[[2], [5], ["alert: odd"]],
		]);
		const line = data.find(({ name }) => name === "b");
		expect(alerts[0].marker.color).toBe(line.line.color);
	});

	it("draws at most 32 lines and says so", () => {
		const many = Object.fromEntries(
			Array.from({ length: 64 }, (_, i) => [`t${i}`, [1, 2]]),
		);
		const { data, remark } = picture(many);
		expect(data.length).toBe(32);
		expect(remark).toBe("32 of 64 tracks");
	});

	it("shows markup in a label as text", () => {
		const { data } = picture(
			{ a: [1, 2], b: [1, 2] },
			{ a: { label: "<b>%{y}</b>" } },
		);
		expect(data[0].name).toBe("&lt;b&gt;%{y}&lt;/b&gt;");
		expect(data[0].hovertemplate).not.toContain("<b>");
	});
});

describe("a chart of several metrics", () => {
	const [info] = head().metrics;
	const both = {
		...planOf(info),
		metrics: [info, { ...info, name: "eval/loss", label: "validation loss" }],
	};

	/** @param {number[]} losses @param {number[]} evaluations */
	function named(losses, evaluations) {
		const history = rows(losses);
		const values = Float64Array.from(evaluations);
		history.columns.set("eval/loss", { at: null, values });
		const { data } = drawn(both, { "": history }, [track("")]);
		return data.map(({ name, line, y }) => [name, line.dash, [...y]]);
	}

	it("names each, and tells them apart by dashes", () => {
		expect(named([3, 2], [5, 4])).toEqual([
			["loss", "solid", [3, 2]],
			["validation loss", "dash", [5, 4]],
		]);
	});
});

describe("a chart of a live run", () => {
	it("is named by its metric, in the first colour", () => {
		const { data } = picture({ "": [3, 2] });
		expect(data.map(({ name, y }) => [name, [...y]])).toEqual([
			["loss", [3, 2]],
		]);
		expect(data[0].line.color).toBe(theme.palette[0]);
	});
});
