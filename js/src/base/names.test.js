import { describe, expect, it } from "vitest";
import { shownNames, visible } from "./names.js";

it.each([
	["loss/bbox", "loss/bbox"],
	["two words", "two words"],
	["", '""'],
	["loss ", "loss␣"],
	[" loss", "␣loss"],
	["a  b", "a ␣b"],
	["  ", "␣␣"],
	["a\x00\ud800b", "a\\x00\\ud800b"],
	["a\u200bb\u2028", "a\\u200bb\\u2028"],
	["损失 😀", "损失 😀"],
])("leaves nothing of a name unseen (%#)", (name, seen) => {
	expect(visible(name)).toBe(seen);
});

describe("shownNames", () => {
	it.each([0, 150, 299])(
		"tells long names apart that differ at %i",
		(place) => {
			const names = [..."abc"].map(
				(mark) => "x".repeat(place) + mark + "x".repeat(299 - place),
			);
			const found = names.map(shownNames(names, 36));
			expect(new Set(found).size).toBe(3);
			expect(found.every((text) => text.length <= 40)).toBe(true);
		},
	);

	it("shows what is short as it is", () => {
		const names = ["loss", "lr", "loss/ce"];
		expect(names.map(shownNames(names, 36))).toEqual(names);
	});

	it("tells a blank from the sign for it", () => {
		const names = ["loss ", "loss␣"];
		expect(new Set(names.map(shownNames(names, 36))).size).toBe(2);
	});
});
