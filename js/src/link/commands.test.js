import { beforeEach, describe, expect, it } from "vitest";
import { Commands } from "./commands.js";

const BEGUN_S = 1000;
const NONE = { waits: false, taken: false, refusal: "" };

let commands = new Commands("page");
const state = (begun_s = BEGUN_S) => commands.state("ask_stop", begun_s);
const ask = () => commands.expect("ask_stop", BEGUN_S);

/** @param {string} id @param {string} [refusal] */
const answer = (id, refusal = "") =>
	commands.acknowledge({ kind: "ack", id, ok: !refusal, text: refusal });

beforeEach(() => {
	commands = new Commands("page");
});

describe("Commands", () => {
	it("waits until the kernel has answered", () => {
		const id = ask();
		expect(state()).toEqual({ ...NONE, waits: true });
		answer(id);
		expect(state()).toEqual({ ...NONE, taken: true });
	});

	it("keeps the reason of a refusal until the next try", () => {
		answer(ask(), "not running");
		expect(state()).toEqual({ ...NONE, refusal: "not running" });
		ask();
		expect(state().refusal).toBe("");
	});

	it("ignores what another page has asked", () => {
		ask();
		answer("other-1", "no");
		expect(state()).toEqual({ ...NONE, waits: true });
	});

	it("can stop the same run again when it trains again", () => {
		answer(ask());
		expect(state(BEGUN_S + 60)).toEqual(NONE);
	});

	it("does not take an answer after the end for the next training", () => {
		const id = ask();
		expect(state(BEGUN_S + 60)).toEqual(NONE);
		answer(id);
		expect(state(BEGUN_S + 60)).toEqual(NONE);
	});
});
