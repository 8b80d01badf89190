import fc from "fast-check";
import { expect, it } from "vitest";
import { rows, want } from "../../test/samples.js";
import { coarser } from "./coarser.js";
import { extract } from "./extract.js";

const value = fc.oneof(
	{ weight: 9, arbitrary: fc.float({ noNaN: true, min: -1e6, max: 1e6 }) },
	{ weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity, -Infinity) },
);

it("merges buckets to what they would have been at once", () => {
	fc.assert(
		fc.property(
			fc.array(value, { minLength: 1, maxLength: 200 }),
			fc.integer({ min: 0, max: 3 }),
			fc.integer({ min: 1, max: 4 }),
			(values, level, levels) => {
				const history = rows(values);
				/** @param {number} level */
				const at = (level) =>
					extract(history, want({ points: 0, level, weight: 0.5 }), "loss")
						.pieces[0].columns;
				const merged = coarser(at(level), levels);
				for (const [name, { length, data }] of Object.entries(
					at(level + levels),
				)) {
					expect(merged[name].length).toBe(length);
					for (let i = 0; i < length; i++) {
						if (name !== "means") expect(merged[name].data[i]).toBe(data[i]);
						else if (Number.isNaN(data[i]))
							expect(merged[name].data[i]).toBeNaN();
						else expect(merged[name].data[i]).toBeCloseTo(data[i], 3);
					}
				}
			},
		),
	);
});
