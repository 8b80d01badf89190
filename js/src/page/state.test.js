import { describe, expect, it } from "vitest";
import { SILENCE, status } from "../../test/samples.js";
import { stateOf, stopState } from "./state.js";

const calm = { waits: false, taken: false, refusal: "", gone: false };

/** @import { Status } from "../protocol" */

const FINE = { odd: false, ranks: false };

/** @param {Status} status @param {number} now_s @param {boolean} [gone] */
const stateText = (status, now_s, gone = false, look = FINE) =>
	stateOf({ status, silence: SILENCE }, now_s, gone, look);

describe("stateOf", () => {
	it("says phase and for how long, where the run is and what is left", () => {
		expect(stateText(status(), 1100)).toEqual({
			pill: "training · 1 min 30 s",
			tone: "good",
			place: "step 40 / 100 · epoch 4 / 10",
			fraction: 0.4,
			left: "30 s left",
			age: "last value 0.5 s ago",
		});
	});

	it("says how often a value comes out of a data sink", () => {
		const every = "every 50 steps (data sink)";
		expect(stateText(status({ detail: every }), 1100).place).toBe(
			"step 40 / 100 · epoch 4 / 10 · every 50 steps (data sink)",
		);
	});

	it("says so when the kernel is silent for more than ten seconds", () => {
		const text = stateText(status({ usual_step_s: 60 }), 1125);
		expect(text.pill).toBe("training · no news for 25 s");
		expect(text.tone).toBe("warning");
	});

	/** @param {Parameters<typeof status>[0]} news @param {number} now_s */
	const pill = (news, now_s) =>
		stateText(status({ sent_s: now_s, ...news }), now_s).pill;

	it("says that a step takes three times as long as usual", () => {
		const slow = { last_step_s: 1100, usual_step_s: 4 };
		expect(pill(slow, 1112)).toBe("training · 1 min 42 s");
		expect(pill(slow, 1112.4)).toBe("training · no step for 12 s");
		const text = stateText(status(slow), 1113);
		expect([text.tone, text.left]).toEqual(["warning", ""]);
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
		expect(stateText(status(), 1100, true).pill).toBe("training · kernel gone");
	});

	it("tells how long an ended run took, whatever the clock says now", () => {
		const over = status({ phase: "finished", phase_since_s: 1700 });
		const text = stateText(over, 99_999, true);
		expect(text.pill).toBe("finished after 11 min 40 s");
		expect([text.tone, text.left, text.age]).toEqual(["over", "", ""]);
	});

	it("leaves out what is not known", () => {
		const unknown = { step: null, epoch: null, total_steps: null };
		const text = stateText(status({ ...unknown, last_value_s: null }), 1100);
		expect([text.place, text.fraction, text.left, text.age]).toEqual([
			"",
			null,
			"",
			"",
		]);
	});
});

describe("the tone of a state", () => {
	/** @type {[string, Partial<Status>, Partial<typeof FINE>, string][]} */
	const STATES = [
		["values come and are finite", {}, {}, "good"],
		["no value has come yet", { last_value_s: null }, {}, "busy"],
		["it compiles", { phase: "compiling" }, {}, "busy"],
		["a value is not finite", {}, { odd: true }, "error"],
		["a rank has stopped", {}, { ranks: true }, "warning"],
		["the kernel says nothing", { sent_s: 1000 }, { odd: true }, "warning"],
		["it has failed", { phase: "failed" }, {}, "error"],
		["it was lost", { phase: "lost" }, {}, "error"],
		["it has finished", { phase: "finished" }, { odd: true }, "over"],
		["it was stopped", { phase: "stopped" }, {}, "over"],
	];

	it.each(STATES)("when %s", (_, news, look, tone) => {
		const given = status(news);
		const shown = stateText(given, 1100, false, { ...FINE, ...look });
		expect(shown.tone).toBe(tone);
	});

	it("is a warning, without time left, where a watched run is silent", () => {
		const watched = { usual_step_s: null, last_value_s: 1100, sent_s: 1640 };
		const shown = stateText(status({ ...watched, last_step_s: null }), 1640);
		expect([shown.tone, shown.pill, shown.left]).toEqual([
			"warning",
			"training · silent for 9 min 0 s",
			"",
		]);
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

	it("is gone after the end, and off without a kernel", () => {
		expect(stopState(status({ phase: "finished" }), calm).hidden).toBe(true);
		expect(stopState(status(), { ...calm, gone: true }).enabled).toBe(false);
	});
});
