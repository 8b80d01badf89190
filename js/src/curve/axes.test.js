import { describe, expect, it } from "vitest";
import { chunk, status } from "../../test/samples.js";
import { Segment } from "../data/segment.js";
import { axis, knowsEpochs } from "./axes.js";

const segment = new Segment(chunk(0, new Float64Array(40)));

/** @param {string} id @param {Parameters<typeof status>[0]} [news] */
const made = (id, news) => axis(id, status(news), 1000 + 40 / 2);

describe("axis", () => {
	it("shows steps", () => {
		expect(made("step").of(segment, 4)).toBe(5);
	});

	it("shows parts of epochs when their length is known", () => {
		expect(made("epoch").of(segment, 4)).toBe(0.5);
	});

	it("shows whole epochs when only the epoch is known", () => {
		expect(made("epoch", { steps_per_epoch: null }).of(segment, 14)).toBe(2);
	});

	it("shows seconds since the start of a short run", () => {
		expect(made("time").title).toBe("time since start [s]");
		expect(made("time").of(segment, 4)).toBe(2);
	});

	it("shows hours of a long run", () => {
		const long = axis("time", status(), 1000 + 5 * 3600);
		expect(long.title).toBe("time since start [h]");
	});

	it("puts the mark of a step where its row is", () => {
		expect(made("step").step(7, [segment])).toBe(7);
		expect(made("epoch").step(20, [segment])).toBe(2);
		expect(made("time").step(5, [segment])).toBe(2);
	});
});

describe("knowsEpochs", () => {
	const without = chunk(0, [1, 2]);
	without.epochs.fill(Number.NaN);
	const bare = status({ steps_per_epoch: null });

	it("is false when no row names its epoch", () => {
		expect(knowsEpochs(bare, [new Segment(without)])).toBe(false);
	});

	it("is true when a row does, or their length is known", () => {
		expect(knowsEpochs(bare, [segment])).toBe(true);
		expect(knowsEpochs(status(), [new Segment(without)])).toBe(true);
	});
});
