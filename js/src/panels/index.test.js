import { describe, expect, it } from "vitest";
import { head } from "../../test/samples.js";
import { arrange, PANELS } from "./index.js";

/**
 * @param {[string, string][]} metrics name and panel
 * @param {string[]} [names] of those with values
 */
const arranged = (metrics, names = metrics.map(([name]) => name)) =>
	arrange(
		metrics.map(([name, panel]) => ({ ...head().metrics[0], name, panel })),
		new Set(names),
	).map(({ panel, info }) => `${panel.id}: ${info.name}`);

describe("arrange", () => {
	it("puts the loss first and one panel for each of its parts", () => {
		const metrics = /** @type {[string, string][]} */ ([
			["lr", "lr"],
			["loss/ce", "parts"],
			["loss", "loss"],
			["loss/bbox", "parts"],
		]);
		expect(arranged(metrics)).toEqual([
			"loss: loss",
			"parts: loss/ce",
			"parts: loss/bbox",
			"lr: lr",
		]);
	});

	it("has no panel for a metric without a value, nor hides an unknown one", () => {
		expect(arranged([["lr", "lr"]], ["新"])).toEqual(["other: 新"]);
	});

	it("shows a metric of a panel that this page does not know", () => {
		expect(arranged([["x", "new"]])).toEqual(["other: x"]);
	});
});

it("gives each panel an id of its own", () => {
	expect(new Set(PANELS.map(({ id }) => id)).size).toBe(PANELS.length);
});
