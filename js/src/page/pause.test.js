import { expect, it } from "vitest";
import { Pause } from "./pause.js";

it("stands still at the step of the last whole drawing", () => {
	const pause = new Pause();
	pause.drew(0, true, 240);
	expect(pause.holds).toBe(false);
	pause.toggle();
	expect([pause.holds, pause.step]).toEqual([true, 240]);
	pause.toggle();
	expect(pause.holds).toBe(false);
});

it("draws what the reader changes meanwhile until that is whole", () => {
	const pause = new Pause();
	pause.drew(0, true, 240);
	pause.toggle();
	pause.changes++;
	expect(pause.holds).toBe(false);
	pause.drew(1, false, 250);
	expect(pause.holds).toBe(false);
	pause.drew(1, true, 260);
	expect([pause.holds, pause.step]).toEqual([true, 260]);
});

it("does not take a drawing that began before for the change that came during it", () => {
	const pause = new Pause();
	pause.toggle();
	const { changes } = pause;
	pause.changes++;
	pause.drew(changes, true, 240);
	expect(pause.holds).toBe(false);
});
