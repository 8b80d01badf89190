import { describe, expect, it } from "vitest";
import { curve, head, options } from "../../test/samples.js";
import { band, bands } from "./bands.js";

/** @import { Options } from "./layout.js" */

/** @param {Record<string, number[]>} quantiles @param {Partial<Options>} [news] */
const drawn = (quantiles, news) =>
	bands(
		Object.keys(quantiles).map((q) => ({
			...head().metrics[0],
			name: `weight_q/w/${q}`,
		})),
		Object.values(quantiles).map((y) => curve(y)),
		options({ wide: false, ...news }),
		{},
	);

/** @param {{data: object[]}} drawing */
const traces = ({ data }) => /** @type {any[]} */ (data);

describe("bands", () => {
	it("fills from one quantile to its opposite", () => {
		const [band] = traces(drawn({ min: [-1, -2], max: [3, 4] }));
		expect(band).toMatchObject({
			x: [0, 1, 1, 0],
			y: [-1, -2, 4, 3],
			fill: "toself",
		});
	});

	it("shows the first step, too", () => {
		const [band] = traces(drawn({ min: [-1], max: [3] }));
		expect(band).toMatchObject({ x: [0, 0], y: [-1, 3] });
		expect(band.line.width).toBeGreaterThan(1);
	});

	it("draws the median over the bands, and says what they are", () => {
		const drawing = drawn({ p5: [-1], p50: [0], p95: [1] });
		expect(drawing.remark).toBe("5–95 · median");
		expect(traces(drawing)[1]).toMatchObject({ name: "p50" });
	});

	it("draws a quantile without its opposite as a line", () => {
		expect(traces(drawn({ p99: [1, 2] }))[0]).toMatchObject({
			name: "p99",
			y: Float64Array.of(1, 2),
		});
	});

	it("goes on where a quantile is not finite", () => {
		const [band] = traces(drawn({ min: [-1, Number.NaN, -3], max: [1, 2, 3] }));
		expect(band.y).toEqual([-1, -3, 3, 2, 1]);
	});

	it("reads all quantiles of a step to the pointer", () => {
		const pointer = traces(drawn({ p5: [1, 2], p95: [3, 4] })).at(-1);
		expect(pointer.customdata).toEqual([
			[1, 3],
			[2, 4],
		]);
		expect(pointer.hovertemplate).toMatch(/^p95 .*<br>p5 /);
	});

	it("stays linear: weights are on both sides of zero", () => {
		const drawing = drawn({ p50: [1] }, { log: true });
		expect(drawing.layout).toMatchObject({ yaxis: { type: "linear" } });
		expect(drawing.remark).toBe("always linear");
	});
});

describe("band", () => {
	it("does not run over what is not here", () => {
		const missing = /** @type {[number, number][]} */ ([[1.5, 2.5]]);
		const low = curve([0, 0, 0, 0], { missing });
		const { x } = band(low, curve([1, 1, 1, 1]), "#111111");
		expect(x).toEqual([0, 1, 1, 0, Number.NaN, 3, 3]);
	});

	it("reaches from the lowest of the low to the highest of the high buckets", () => {
		const left = Float64Array.of(0);
		const right = Float64Array.of(8);
		const bucket = (/** @type {number} */ low, /** @type {number} */ high) =>
			curve([(low + high) / 2], {
				low: Float64Array.of(low),
				high: Float64Array.of(high),
				left,
				right,
			});
		const { x, y } = band(bucket(1, 3), bucket(2, 9), "#111111");
		expect([x, y]).toEqual([
			[0, 8, 8, 0],
			[1, 1, 9, 9],
		]);
	});
});
