import { describe, expect, it } from "vitest";
import { SILENCE, status } from "../../test/samples.js";
import { endText, statusText, stopState } from "./status_text.js";

const calm = { waits: false, taken: false, refusal: "", gone: false };

describe("statusText", () => {
	it("says phase and for how long, where the run is and what is left", () => {
		expect(statusText(status(), 1100, false, SILENCE)).toEqual({
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
		expect(
			statusText(status({ detail: every }), 1100, false, SILENCE).place,
		).toBe("step 40 / 100 · epoch 4 / 10 · every 50 steps (data sink)");
	});

	it("says so when the kernel is silent for more than ten seconds", () => {
		const text = statusText(status({ usual_step_s: 60 }), 1125, false, SILENCE);
		expect(text.pill).toBe("training · no news for 25 s");
		expect(text.trouble).toBe(true);
	});

	/** @param {Parameters<typeof status>[0]} news @param {number} now_s */
	const pill = (news, now_s) =>
		statusText(status({ sent_s: now_s, ...news }), now_s, false, SILENCE).pill;

	it("says that a step takes three times as long as usual", () => {
		const slow = { last_step_s: 1100, usual_step_s: 4 };
		expect(pill(slow, 1112)).toBe("training · 1 min 42 s");
		expect(pill(slow, 1112.4)).toBe("training · no step for 12 s");
		const text = statusText(status(slow), 1113, false, SILENCE);
		expect([text.trouble, text.left]).toEqual([true, ""]);
	});

	it("says both when the kernel, too, says nothing", () => {
		expect(pill({ last_step_s: 1099, sent_s: 1100 }, 1112)).toBe(
			"training · no step for 13 s · no news for 12 s",
		);
	});

	it("says nothing of a pause below five seconds, however short steps are", () => {
		const quick = { last_step_s: 1100, usual_step_s: 0.001 };
		expect(pill(quick, 1104)).not.toContain("no step");
		expect(pill(quick, 1106)).toContain("no step for 6.0 s");
	});

	it.each([
		["while it compiles", { phase: "compiling" }],
		["while it evaluates", { phase: "evaluating" }],
		["while it saves", { phase: "saving" }],
		["after the last step", { step: 100 }],
		["when the phase has just begun", { phase_since_s: 1998 }],
		["when nobody knows how long a step takes", { usual_step_s: null }],
	])("misses no step %s", (_, news) => {
		const given = /** @type {Parameters<typeof status>[0]} */ (news);
		expect(pill({ last_step_s: 1100, ...given }, 2000)).not.toContain(
			"no step",
		);
	});

	it("does not say of a data sink what it cannot know", () => {
		const detail = "every 50 steps (data sink)";
		expect(pill({ last_step_s: 1100, detail }, 1150)).toBe(
			"training · no step seen for 50 s",
		);
	});

	it("says so when the kernel is gone", () => {
		expect(statusText(status(), 1100, true, SILENCE).pill).toBe(
			"training · kernel gone",
		);
	});

	it("tells how long an ended run took, whatever the clock says now", () => {
		const over = status({ phase: "finished", phase_since_s: 1700 });
		const text = statusText(over, 99_999, true, SILENCE);
		expect(text.pill).toBe("finished after 11 min 40 s");
		expect([text.trouble, text.left, text.age]).toEqual([false, "", ""]);
	});

	it("leaves out what is not known", () => {
		const unknown = { step: null, epoch: null, total_steps: null };
		const text = statusText(
			status({ ...unknown, last_value_s: null }),
			1100,
			false,
			SILENCE,
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
		expect(statusText(lost, 9e9, false, SILENCE).pill).toBe("lost after 10 s");
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
