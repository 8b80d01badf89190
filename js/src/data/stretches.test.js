import { expect, it } from "vitest";
import { Stretches } from "./stretches.js";

/** @param {number[]} steps @param {number} [portion] that comes at a time */
function kept(steps, portion = steps.length) {
	const stretches = new Stretches();
	for (let n = portion; n < steps.length; n += portion) {
		stretches.extend(n, (i) => steps[i]);
	}
	stretches.extend(steps.length, (i) => steps[i]);
	return stretches.kept.flatMap(({ from, to }) => steps.slice(from, to));
}

it.each([
	[
		[1, 2, 3, 4],
		[1, 2, 3, 4],
	],
	[
		[1, 2, 3, 2, 3, 4],
		[1, 2, 3, 4],
	],
	[
		[1, 1, 2],
		[1, 1, 2],
	],
	[
		[5, 6, 7, 1, 2],
		[1, 2],
	],
	[
		[1, 3, 5, 4, 6, 2],
		[1, 2],
	],
	[[], []],
])("keeps of steps %j the latest: %j", (steps, latest) => {
	expect(kept(steps)).toEqual(latest);
});

it("is the same however the steps arrive", () => {
	const steps = Array.from(
		{ length: 500 },
		(_, i) => i - 40 * Math.floor(i / 90),
	);
	expect(kept(steps, 7)).toEqual(kept(steps));
});
