import { describe, expect, it } from "vitest";
import { curve, head, options, theme } from "../../test/samples.js";
import { metricLines } from "./metric_lines.js";

/** @import { Curve } from "../curve/curve.js" */

/** @param {string[]} labels @param {Curve} [shown] */
const drawn = (labels, shown = curve([3, 4])) =>
	/** @type {any[]} */ (
		metricLines(
			labels.map((label) => ({ ...head().metrics[0], name: label, label })),
			labels.map(() => shown),
			options({ theme: { ...theme, palette: ["#111111", "#222222"] } }),
			{},
		).data
	);

describe("metricLines", () => {
	it("tells lines apart by colour and dash", () => {
		const looks = drawn(["a", "b"]).map(({ line }) => [line.color, line.dash]);
		expect(looks).toEqual([
			["#111111", "solid"],
			["#222222", "dash"],
		]);
	});

	it("names a layer in the legend as it is, never as markup", () => {
		expect(drawn(["grad_norm/<b>层</b>"])[0].name).toBe(
			"&lt;b&gt;层&lt;/b&gt;",
		);
	});

	it("keeps both ends of a long name", () => {
		const [{ name }] = drawn([`begin${"x".repeat(100)}end`]);
		expect(name).toMatch(/^begin.*….*end$/);
		expect(name.length).toBeLessThan(40);
	});

	it("has one entry a layer in the legend, smoothed or not", () => {
		const smooth = drawn(
			["a", "b"],
			curve([3, 4], { smooth: Float64Array.of(3, 3) }),
		);
		for (const data of [drawn(["a", "b"]), smooth]) {
			expect(data.filter(({ showlegend }) => showlegend).length).toBe(2);
		}
	});
});
