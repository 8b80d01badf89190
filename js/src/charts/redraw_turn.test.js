import { expect, it } from "vitest";
import { redrawTurn } from "./redraw_turn.js";

/** @param {string} name @param {boolean} visible @param {number} drawn_ms */
const panel = (name, visible, drawn_ms) => ({ name, visible, drawn_ms });

const old = [
	panel("below", false, 7),
	panel("loss", true, 9),
	panel("far below", false, 3),
	panel("lr", true, 9),
];

/** @param {{name: string}[]} panels */
const names = (panels) => panels.map(({ name }) => name);

it("draws what is visible, and one a time of what is not, oldest first", () => {
	const { now, later } = redrawTurn(old, 4);
	expect(names(now)).toEqual(["loss", "lr", "far below"]);
	expect(later).toBe(1);
});

it("does not draw hidden panels where there are hundreds", () => {
	const { now, later } = redrawTurn(old, 300);
	expect(names(now)).toEqual(["loss", "lr"]);
	expect(later).toBe(0);
});
