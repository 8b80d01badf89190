import { describe, expect, it } from "vitest";
import { drawnTrack, head, options } from "../../test/samples.js";
import { NONFINITE_NAMES } from "../curve/nonfinite.js";
import { hiddenByLog } from "./drawing.js";
import { figure } from "./figure.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { DrawnTrack } from "../curve/drawn_tracks.js" */
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
	reduced: 0,
	averaged: true,
	...rest,
});

/**
 * The figure of the only track there is.
 * @param {Curve} curve
 * @param {Partial<Options>} [news]
 * @param {Curve | null} [earlier]
 * @param {Partial<DrawnTrack>} [track]
 */
function shown(curve, news, earlier = null, track = {}) {
	const only = { curve, earlier, replaced: 0, drawnTrack: drawnTrack(track) };
	const made = figure(info, [only], options(news), {});
	return /** @type {{data: any[], layout: any}} */ (made);
}

/** @param {string} kind @param {number} base */
const marked = (kind, base) => ({ kind, total: 1, points: [{ x: 1, base }] });

describe("a first value out of all proportion", () => {
	const curve = drawn([
		1e6,
		...Array.from({ length: 40 }, (_, i) => 2 - i / 40),
	]);

	it("has a sign at the edge that says it, and the others fill the panel", () => {
		const { layout } = shown(curve, { range: [-1, 50] });
		expect(layout.annotations).toMatchObject([
			{ name: "outlier", x: 0, y: 1, text: "▲ 1,000,000", captureevents: true },
		]);
		expect(layout.yaxis.autorange).toBe(false);
		expect(layout.yaxis.range[1]).toBeLessThan(3);
	});

	it("is in the picture when the reader wants it, and can be left out again", () => {
		const { layout } = shown(curve, { range: [-1, 50], whole: true });
		expect(layout.yaxis.autorange).toBe(true);
		expect(layout.annotations[0].text).toBe("leave out 1,000,000");
	});

	it("has no sign where the reader looks at later steps", () => {
		const { layout } = shown(curve, { range: [10, 50] });
		expect(layout.annotations).toEqual([]);
	});

	it("is in the picture on a log axis", () => {
		const { layout } = shown(curve, { log: true });
		expect([layout.yaxis.autorange, layout.annotations]).toEqual([true, []]);
	});
});

describe("figure", () => {
	it("draws the raw curve first, by the metric's name", () => {
		const { data } = shown(drawn([3, 2]));
		expect(data[0]).toMatchObject({ name: "loss", y: Float64Array.of(3, 2) });
	});

	it("keeps the raw curve behind the smoothed, whose formula it names", () => {
		const curve = drawn([3, 2], { smooth: Float64Array.of(3, 2.5) });
		const { data } = shown(curve, { weight: 0.6 });
		expect(data[0]).toMatchObject({
			name: "loss",
			line: { color: "#11111180" },
		});
		expect(data[1].name).toBe("loss · EMA 0.60, debiased");
	});

	it("is the plain line of its metric, without a legend or a name", () => {
		const { data, layout } = shown(drawn([3, 2]));
		expect(data.length).toBe(1);
		expect(data[0]).toMatchObject({
			line: { color: "#111111", width: 1.5, dash: "solid" },
			hovertemplate: "%{y:.6~g}<extra></extra>",
		});
		expect(layout.showlegend).toBe(false);
	});

	it("keeps an earlier attempt behind, faint, and says what it is", () => {
		const { data, layout } = shown(drawn([3, 2]), {}, drawn([9, 8]));
		expect(data.map(({ name }) => name)).toEqual(["earlier attempt", "loss"]);
		expect(data[0].opacity).toBeLessThan(1);
		expect(layout.showlegend).toBe(true);
	});

	it("marks what is not finite in the colour of errors", () => {
		const nonfinite = [marked("NaN", 1)];
		const { data } = shown(drawn([1, 1], { nonfinite }));
		expect(data[1].marker.color).toBe(options().theme.error);
	});

	it("shows a value between two gaps as a point", () => {
		const { data } = shown(drawn([Number.NaN, 2, Number.NaN, 3, 4]));
		expect(data[1]).toMatchObject({ mode: "markers", x: [1], y: [2] });
	});

	it("gives NaN and each infinity a mark of its own", () => {
		const nonfinite = NONFINITE_NAMES.map((kind) => marked(kind, 1));
		const { data } = shown(drawn([1, 1], { nonfinite }));
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
		const { data } = shown(drawn([1, 1], { nonfinite }));
		expect(data[1].name).toBe("NaN: 1 of 12,345");
	});

	it("shows a NaN before any finite value, too", () => {
		const nonfinite = [marked("NaN", Number.NaN)];
		const { data } = shown(drawn([Number.NaN], { nonfinite }));
		expect(data[1]).toMatchObject({ y: [0.5], yaxis: "y2" });
	});

	it("shows a NaN after a value that a log axis cannot show", () => {
		const nonfinite = [marked("NaN", -2)];
		const { data } = shown(drawn([-2, Number.NaN], { nonfinite }), {
			log: true,
		});
		expect(data[1]).toMatchObject({ y: [0.5], yaxis: "y2" });
	});

	it("draws an evaluation fainter than an event", () => {
		const markLines = ["eval", "lr_drop"].map((kind) => ({
			x: 1,
			kind,
			text: "",
		}));
		const { layout } = shown(drawn([1]), { markLines });
		const [evaluation, event] = layout.shapes;
		expect(evaluation.opacity).toBeLessThan(event.opacity);
	});

	it("shows markup in a mark's text as text", () => {
		const markLines = [{ x: 1, kind: "failed", text: "<b>no</b>" }];
		const { layout } = shown(drawn([1]), { markLines });
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
