import { describe, expect, it } from "vitest";
import { head, status } from "../../test/samples.js";
import { axis } from "../curve/axes.js";
import { NONFINITE_NAMES } from "../curve/nonfinite.js";
import { figure, hiddenByLog } from "./figure.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { Curve } from "../curve/curve.js" */
/** @import { Options } from "./layout.js" */

const [info] = head().metrics;

/** @param {number[]} y @param {Partial<Curve>} [rest] @returns {Curve} */
const drawn = (y, rest) => ({
	x: Float64Array.from(y.keys()),
	y: Float64Array.from(y),
	smooth: null,
	nonfinite: [],
	total: y.length,
	drawn: y.length,
	replaced: 0,
	envelope: false,
	reduced: false,
	averaged: true,
	...rest,
});

/** @param {string} kind @param {number} base */
const marked = (kind, base) => ({ kind, total: 1, points: [{ x: 1, base }] });

/** @type {Options} */
const options = {
	axis: axis("step", status(), 0),
	range: [0, 10],
	zoomed: 0,
	weight: 0,
	log: false,
	theme: /** @type {Theme} */ ({ line: "#0072b2", raw: "#8ec3e2" }),
	markLines: [],
	wide: true,
	width: 800,
	height: 200,
};

describe("figure", () => {
	it("draws the raw curve first, by the metric's name", () => {
		const { data } = figure(info, drawn([3, 2]), options, {});
		expect(data[0]).toMatchObject({ name: "loss", y: Float64Array.of(3, 2) });
	});

	it("keeps the raw curve behind the smoothed, whose formula it names", () => {
		const curve = drawn([3, 2], { smooth: Float64Array.of(3, 2.5) });
		const { data } = figure(info, curve, { ...options, weight: 0.6 }, {});
		expect(data[0]).toMatchObject({ name: "loss", line: { color: "#8ec3e2" } });
		expect(data[1].name).toBe("loss · EMA 0.60, debiased");
	});

	it("shows a value between two gaps as a point", () => {
		const { data } = figure(
			info,
			drawn([Number.NaN, 2, Number.NaN, 3, 4]),
			options,
			{},
		);
		expect(data[1]).toMatchObject({ mode: "markers", x: [1], y: [2] });
	});

	it("gives NaN and each infinity a mark of its own", () => {
		const nonfinite = NONFINITE_NAMES.map((kind) => marked(kind, 1));
		const { data } = figure(info, drawn([1, 1], { nonfinite }), options, {});
		expect(data.slice(1).map(({ name }) => name)).toEqual([
			"NaN",
			"+Inf",
			"−Inf",
		]);
		const marks = data.slice(1).map(({ marker }) => JSON.stringify(marker));
		expect(new Set(marks).size).toBe(3);
	});

	it("says so when not each NaN has a mark", () => {
		const nonfinite = [{ ...marked("NaN", 1), total: 12_345 }];
		const { data } = figure(info, drawn([1, 1], { nonfinite }), options, {});
		expect(data[1].name).toBe("NaN: 1 of 12,345");
	});

	it("shows a NaN before any finite value, too", () => {
		const nonfinite = [marked("NaN", Number.NaN)];
		const { data } = figure(
			info,
			drawn([Number.NaN], { nonfinite }),
			options,
			{},
		);
		expect(data[1]).toMatchObject({ y: [0.5], yaxis: "y2" });
	});

	it("shows a NaN after a value that a log axis cannot show", () => {
		const nonfinite = [marked("NaN", -2)];
		const log = { ...options, log: true };
		const { data } = figure(
			info,
			drawn([-2, Number.NaN], { nonfinite }),
			log,
			{},
		);
		expect(data[1]).toMatchObject({ y: [0.5], yaxis: "y2" });
	});

	it("draws an evaluation fainter than an event", () => {
		const markLines = ["eval", "lr_drop"].map((kind) => ({
			x: 1,
			kind,
			text: "",
		}));
		const { layout } = figure(info, drawn([1]), { ...options, markLines }, {});
		const [evaluation, event] = layout.shapes;
		expect(evaluation.opacity).toBeLessThan(event.opacity);
	});

	it("shows markup in a mark's text as text", () => {
		const markLines = [{ x: 1, kind: "failed", text: "<b>no</b>" }];
		const { layout } = figure(info, drawn([1]), { ...options, markLines }, {});
		expect(layout.annotations[0].text).toBe("&lt;b&gt;no&lt;/b&gt;");
	});
});

describe("hiddenByLog", () => {
	it("counts what a log axis cannot show", () => {
		expect(hiddenByLog(drawn([1, 0, -2, Number.NaN]))).toBe(
			"2 values ≤ 0 not on a log axis",
		);
		expect(hiddenByLog(drawn([1, 2]))).toBe("");
	});
});
