import { expect, it } from "vitest";
import { place } from "./labels.js";

/** @param {number[]} xs @param {string} text */
const placed = (xs, text = "lr_drop: 0.1") =>
	place(
		xs.map((x) => ({ x, kind: "lr_drop", text })),
		[0, 1000],
		1000,
	);

it("puts labels that would overlap below each other", () => {
	expect(placed([10, 20, 500]).map(({ row }) => row)).toEqual([0, 1, 0]);
});

it("knows that Chinese letters are wide", () => {
	expect(placed([10, 70], "换数据集合").map(({ row }) => row)).toEqual([0, 0]);
	expect(placed([10, 60], "换数据集合").map(({ row }) => row)).toEqual([0, 1]);
});

it("leaves a label out where there is no room, but not its line", () => {
	const crowd = placed([1, 2, 3, 4, 5]);
	expect(crowd.length).toBe(5);
	expect(crowd.filter(({ text }) => text).length).toBe(3);
});

it("lets a label at the end of the panel stand before its line", () => {
	expect(placed([990, 930]).map(({ row }) => row)).toEqual([0, 1]);
});
