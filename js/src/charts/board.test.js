import { expect, it } from "vitest";
import { inTurn } from "./board.js";

/** @param {number} count @param {number[]} drawn_ms when each was drawn */
function charts(count, drawn_ms) {
	const all = Array.from({ length: count }, (_, i) => ({
		...{ name: i, drawn_ms: drawn_ms[i] ?? 0 },
		state: { choice: "", zoom: "zoomed", answers: "", numbers: "1" },
	}));
	/** @param {string} zoom */
	const turn = (zoom) =>
		inTurn(
			all.map((chart) => ({
				chart,
				state: { ...chart.state, zoom, numbers: "2" },
			})),
			all,
			1000,
		).map(({ chart }) => /** @type {any} */ (chart).name);
	return turn;
}

it("draws the first chart each time, and of the others those that wait longest", () => {
	const turn = charts(8, [990, 100, 300, 200, 700, 50]);
	expect(turn("zoomed")).toEqual([0, 6, 7]);
});

it("does not draw again so soon what nobody has touched", () => {
	const turn = charts(4, [990, 990, 700, 500]);
	expect(turn("zoomed")).toEqual([0, 3]);
});

it("draws at once what the reader has changed", () => {
	const turn = charts(4, [990, 990, 990, 990]);
	expect(turn("all")).toEqual([0, 1, 2, 3]);
});
