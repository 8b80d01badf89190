import { expect, it } from "vitest";
import { entries } from "./legend.js";

/** @param {object[]} data */
const figure = (data) => ({
	data,
	layout: { height: 360, colorway: ["blue", "red"] },
});

it("names a line with the colour and the dash that Plotly gives it", () => {
	const lines = [
		{ type: "scatter", name: "used", line: { dash: "solid" } },
		{ type: "scatter", name: "reserved", line: { dash: "dot" } },
	];
	expect(entries(figure(lines))).toEqual([
		{ name: "used", colour: "blue", dash: "solid" },
		{ name: "reserved", colour: "red", dash: "dotted" },
	]);
});

it("shows a name as it is, markup and all", () => {
	const bars = [{ type: "bar", name: "a&amp;lt; &lt;b&gt; 算子" }];
	expect(entries(figure(bars))[0].name).toBe("a&lt; <b> 算子");
});

it("leaves out what shall not be in the legend", () => {
	const hidden = { type: "scatter", name: "peak", showlegend: false };
	expect(entries(figure([hidden]))).toEqual([]);
});
