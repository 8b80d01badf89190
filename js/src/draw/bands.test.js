import { describe, expect, it } from "vitest";
import { head, options } from "../../test/samples.js";
import { bands } from "./bands.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { Options } from "./layout.js" */

/** @param {number[]} y */
const curve = (y) =>
	/** @type {Curve} */ ({
		x: Float64Array.from(y.keys()),
		y: Float64Array.from(y),
	});

/** @param {Record<string, number[]>} quantiles @param {Partial<Options>} [news] */
const drawn = (quantiles, news) =>
	bands(
		Object.keys(quantiles).map((q) => ({
			...head().metrics[0],
			name: `weight_q/w/${q}`,
		})),
		Object.values(quantiles).map(curve),
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
