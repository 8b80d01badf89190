import { describe, expect, it } from "vitest";
import { Commands } from "./commands.js";

describe("Commands", () => {
	it("waits until the kernel has answered", () => {
		const commands = new Commands("page");
		const id = commands.expect("ask_stop");
		expect(commands.waits("ask_stop")).toBe(true);
		commands.acknowledge({ kind: "ack", id, ok: true, text: "" });
		expect(commands.waits("ask_stop")).toBe(false);
		expect(commands.taken.has("ask_stop")).toBe(true);
	});

	it("keeps the reason of a refusal until the next try", () => {
		const commands = new Commands("page");
		const id = commands.expect("ask_stop");
		commands.acknowledge({ kind: "ack", id, ok: false, text: "not running" });
		expect(commands.refusal).toBe("not running");
		commands.expect("ask_stop");
		expect(commands.refusal).toBe("");
	});

	it("ignores what another page has asked", () => {
		const commands = new Commands("page");
		commands.expect("ask_stop");
		commands.acknowledge({ kind: "ack", id: "other-1", ok: false, text: "no" });
		expect(commands.waits("ask_stop")).toBe(true);
		expect(commands.refusal).toBe("");
	});
});
