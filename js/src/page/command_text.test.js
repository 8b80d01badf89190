import { describe, expect, it } from "vitest";
import { status } from "../../test/samples.js";
import { commandState, pauseText } from "./command_text.js";

/** @import { Command } from "../protocol" */

const NONE = { waits: false, refusal: "", gone: false };

/** @param {Partial<Command>} [news] @returns {Command} */
const command = (news = {}) => ({
	...{ kind: "ask_save", state: "", step: null, text: "", value: null },
	...news,
});

/** @param {Partial<Command>} news @param {Partial<typeof NONE>} [asked] */
const text = (news, asked = {}) =>
	commandState(command(news), status(), { ...NONE, ...asked }).text;

/** @param {Partial<Command>} news @param {object} [more] */
const enabled = (news, more = {}) =>
	commandState(command(news), status(more), NONE).enabled;

describe("a command", () => {
	it("says how far it is, and at which step it was done", () => {
		expect(text({})).toBe("");
		expect(text({}, { waits: true })).toBe("waiting for the kernel…");
		expect(text({ state: "waiting" })).toBe("after the running step…");
		expect(text({ state: "done", step: 1240 })).toBe("saved at step 1,240");
		const done = { kind: "ask_log_interval", state: "done", step: 7 };
		expect(text(/** @type {Partial<Command>} */ (done))).toBe("since step 7");
	});

	it("says why it was not done", () => {
		const failed = { step: 240, text: "OSError: No space left on device" };
		expect(text({ state: "failed", ...failed })).toBe(
			"not saved at step 240: OSError: No space left on device",
		);
		expect(text({}, { refusal: "no training" })).toBe("no training");
	});

	it("cannot be given twice before it is done", () => {
		expect(enabled({})).toBe(true);
		expect(enabled({ state: "waiting" })).toBe(false);
		expect(enabled({ state: "done", step: 3 })).toBe(true);
	});

	it("cannot be given where nobody hears it, and says what was done before", () => {
		expect(enabled({}, { controls: false })).toBe(false);
		expect(enabled({}, { phase: "finished" })).toBe(false);
		const saved = { state: /** @type {const} */ ("done"), step: 9 };
		const late = { waits: true, refusal: "", gone: true };
		expect(text(saved, late)).toBe("saved at step 9");
	});
});

it("says since when the curves stand still", () => {
	const pause = { on: true, holds: true, step: 1240 };
	expect(pauseText(pause)).toBe("paused at step 1,240");
	expect(pauseText({ ...pause, holds: false })).toBe("pausing…");
	expect(pauseText({ ...pause, step: null })).toBe("paused");
	expect(pauseText({ ...pause, on: false })).toBe("");
});
