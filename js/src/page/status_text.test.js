import { describe, expect, it } from "vitest";
import { status } from "../../test/samples.js";
import { endText, statusText, stopState } from "./status_text.js";

const calm = { waits: false, taken: false, refusal: "", gone: false };

describe("statusText", () => {
	it("says phase and for how long, where the run is and what is left", () => {
		expect(statusText(status(), 1100, false, 10)).toEqual({
			pill: "training · 1 min 30 s",
			trouble: false,
			place: "step 40 / 100 · epoch 4 / 10",
			fraction: 0.4,
			left: "30 s left",
			age: "last value 0.5 s ago",
		});
	});

	it("says how often a value comes out of a data sink", () => {
		const every = "every 50 steps (data sink)";
		expect(statusText(status({ detail: every }), 1100, false, 10).place).toBe(
			"step 40 / 100 · epoch 4 / 10 · every 50 steps (data sink)",
		);
	});

	it("says so when the kernel is silent for more than ten seconds", () => {
		const text = statusText(status(), 1125, false, 10);
		expect(text.pill).toBe("training · no news for 25 s");
		expect(text.trouble).toBe(true);
	});

	it("says so when the kernel is gone", () => {
		expect(statusText(status(), 1100, true, 10).pill).toBe(
			"training · kernel gone",
		);
	});

	it("tells how long an ended run took, whatever the clock says now", () => {
		const over = status({ phase: "finished", phase_since_s: 1700 });
		const text = statusText(over, 99_999, true, 10);
		expect(text.pill).toBe("finished after 11 min 40 s");
		expect([text.trouble, text.left, text.age]).toEqual([false, "", ""]);
	});

	it("leaves out what is not known", () => {
		const unknown = { step: null, epoch: null, total_steps: null };
		const text = statusText(
			status({ ...unknown, last_value_s: null }),
			1100,
			false,
			10,
		);
		expect([text.place, text.fraction, text.left, text.age]).toEqual([
			"",
			null,
			"",
			"",
		]);
	});
});

describe("endText", () => {
	it("shows the exception of a failed run", () => {
		const failed = status({ phase: "failed", detail: "ValueError: no" });
		expect(endText(failed)).toBe("failed at step 40: ValueError: no");
	});

	it("says where a run was lost, and how that is known", () => {
		const lost = status({ phase: "lost", detail: "process 7 on a is gone" });
		expect(endText(lost)).toBe("lost at step 40: process 7 on a is gone");
		expect(statusText(lost, 9e9, false, 10).pill).toBe("lost after 10 s");
	});

	it("says nothing while the run goes on", () => {
		expect(endText(status())).toBe("");
	});
});

describe("stopState", () => {
	it("waits for the kernel, then for the step", () => {
		expect(stopState(status(), { ...calm, waits: true })).toEqual({
			label: "waiting for the kernel…",
			enabled: false,
			hidden: false,
			note: "",
		});
		expect(stopState(status({ stop: "requested" }), calm).label).toBe(
			"stop requested…",
		);
	});

	it("stays asked for between the answer and the next news", () => {
		expect(stopState(status(), { ...calm, taken: true })).toMatchObject({
			label: "stop requested…",
			enabled: false,
		});
	});

	it("names what works when the kernel is deaf, and nothing that does not", () => {
		const { note } = stopState(status({ controls: false }), calm);
		expect(note).toContain("interrupt the cell");
		expect(note).not.toContain("%mswidget");
	});

	it("says so too when the kernel grows deaf after a refusal or a click", () => {
		const deaf = status({ controls: false });
		const refused = stopState(deaf, { ...calm, refusal: "too late" });
		expect(refused.note).toMatch(/^too late .*interrupt the cell/);
		const asked = stopState(deaf, { ...calm, waits: true });
		expect(asked.note).toContain("interrupt the cell");
	});

	it("shows why the kernel refused", () => {
		expect(stopState(status(), { ...calm, refusal: "too late" }).note).toBe(
			"too late",
		);
	});

	it("is not there where nobody could be stopped, and nothing says why", () => {
		const foreign = status({ stoppable: false, controls: false });
		expect(stopState(foreign, calm)).toMatchObject({ hidden: true, note: "" });
	});

	it("is off after the end", () => {
		expect(stopState(status({ phase: "finished" }), calm).enabled).toBe(false);
		expect(stopState(status(), { ...calm, gone: true }).enabled).toBe(false);
	});
});
