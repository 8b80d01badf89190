import { describe, expect, it } from "vitest";
import {
	curve as drawn,
	drawnTrack,
	head,
	options,
} from "../../test/samples.js";
import { NONFINITE_NAMES } from "../curve/curve.js";
import { hiddenByLog } from "./drawing.js";
import { figure } from "./figure.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { DrawnTrack } from "../curve/drawn_tracks.js" */
/** @import { Options } from "./layout.js" */

const [info] = head().metrics;

/**
 * The figure of the only track there is.
 * @param {Curve} curve
 * @param {Partial<Options>} [news]
 * @param {Curve | null} [earlier]
 * @param {Partial<DrawnTrack>} [track]
 */
function shown(curve, news, earlier = null, track = {}) {
	const only = {
		metric: "loss",
		curve,
		earlier,
		drawnTrack: drawnTrack(track),
	};
	const made = figure(info, [only], options(news), {});
	return /** @type {{data: any[], layout: any}} */ (made);
}

/** @param {string} kind @param {number} [count] */
const marked = (kind, count = 1) => ({ kind, x: [1], counts: [count] });

describe("a rank that needs a look", () => {
	it("is named where its curve ends", () => {
		const odd = drawnTrack().track;
		const track = { track: { ...odd, rank: 7, odd: "its loss is NaN" } };
		const values = drawn([2, 1, Number.NaN]);
		const { data } = shown(values, {}, null, track);
		const name = data.find(({ mode }) => mode === "text");
		expect([name.text, name.y]).toEqual([["rank 7"], [1]]);
	});
});

describe("a reference line", () => {
	const references = [{ metric: "loss", value: 0.5, label: "<target>" }];

	it("stands at its value, with its label", () => {
		const { layout } = shown(drawn([2, 1]), { references });
		expect(layout.shapes).toMatchObject([{ xref: "paper", y0: 0.5, y1: 0.5 }]);
		expect(layout.annotations).toMatchObject([
			{ text: "&lt;target&gt; 0.5", y: 0.5 },
		]);
	});

	it("is left out of a log axis on which it has no place", () => {
		const news = {
			references: [...references, { ...references[0], value: 0 }],
		};
		const { layout } = shown(drawn([2, 1]), { ...news, log: true });
		expect(layout.shapes).toHaveLength(1);
		expect(layout.annotations[0].y).toBeCloseTo(Math.log10(0.5));
	});
});

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
		const nonfinite = [marked("NaN")];
		const { data } = shown(drawn([1, 1], { nonfinite }));
		expect(data[1].marker.color).toBe(options().theme.error);
	});

	it("shows a value between two gaps as a point", () => {
		const { data } = shown(drawn([Number.NaN, 2, Number.NaN, 3, 4]));
		expect(data[1]).toMatchObject({ mode: "markers", x: [1], y: [2] });
	});

	it("gives NaN and each infinity a mark of its own", () => {
		const nonfinite = NONFINITE_NAMES.map((kind) => marked(kind));
		const { data } = shown(drawn([1, 1], { nonfinite }));
		expect(data.slice(1).map(({ name }) => name)).toEqual([
			"NaN: 1",
			"+Inf: 1",
			"−Inf: 1",
		]);
		const marks = data.slice(1).map(({ marker }) => JSON.stringify(marker));
		expect(new Set(marks).size).toBe(3);
	});

	it("has a lane for them below the curves, and counts them", () => {
		const nonfinite = [marked("NaN", 12_345)];
		const { data, layout } = shown(drawn([1, 1], { nonfinite }));
		expect(data[1]).toMatchObject({ name: "NaN: 12,345", yaxis: "y3" });
		expect(layout.yaxis3.domain[1]).toBeLessThan(layout.yaxis.domain[0]);
		expect(shown(drawn([1, 1])).layout.yaxis3).toBeUndefined();
	});

	const buckets = {
		...{ buckets: 2, low: Float64Array.of(1, 0), high: Float64Array.of(5, 4) },
		...{ left: Float64Array.of(0, 8), right: Float64Array.of(8, 16) },
		count: Float64Array.of(8, 8),
	};

	it("fills from the lowest to the highest value behind the mean", () => {
		const { data } = shown(drawn([3, 2], buckets));
		expect(data.map(({ fill, y }) => [fill, [...y]])).toEqual([
			["toself", [1, 1, 0, 0, 4, 4, 5, 5]],
			[undefined, [3, 2]],
		]);
		expect(data[1].customdata).toEqual([
			[1, 5],
			[0, 4],
		]);
	});

	it("has a first value out of all proportion outside, also in a bucket", () => {
		const many = Array.from({ length: 40 }, () => 1);
		const all = (/** @type {number} */ first) =>
			Float64Array.of(first, ...many);
		const { layout } = shown(
			drawn([9, ...many], {
				...{ buckets: 41, low: all(0.9), high: all(1e6), count: all(8) },
				...{
					left: all(0).map((_, i) => i),
					right: all(0).map((_, i) => i + 1),
				},
			}),
			{ range: [-1, 50] },
		);
		expect(layout.annotations[0].text).toBe("▲ 1,000,000");
		expect(layout.yaxis.range[1]).toBeLessThan(3);
	});

	it("hatches what is not here", () => {
		const { data } = shown(drawn([1], { missing: [[2, 5]] }));
		expect(data[0]).toMatchObject({
			name: "waits for the kernel",
			yaxis: "y2",
		});
		expect(data[0].fillpattern.shape).toBe("/");
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
