import { expect, it } from "vitest";
import { count, duration, number } from "./format.js";

it.each([
	[0.81234, "0.8123"],
	[4.12e-5, "4.12e-5"],
	[1e-5, "1e-5"],
	[0, "0"],
	[12_345.6, "12,346"],
	[2e10, "2e10"],
	[Number.NaN, "NaN"],
	[-Infinity, "−Inf"],
])("shows %d as %s", (value, text) => {
	expect(number(value)).toBe(text);
});

it.each([
	[0.31, "0.3 s"],
	[59.9, "59 s"],
	[125, "2 min 5 s"],
	[8040, "2 h 14 min"],
	[260_000, "3 d 0 h"],
	[-3, "0.0 s"],
])("shows %d seconds as %s", (seconds, text) => {
	expect(duration(seconds)).toBe(text);
});

it("groups the digits of a count", () => {
	expect(count(18_640)).toBe("18,640");
});
