import { describe, expect, it } from "vitest";
import { readContract } from "../../test/contract.js";
import { Requests } from "./requests.js";
import { summary } from "./tables.js";
import { zoomedWindow } from "./timeline.js";

const PAGE = { columns: [], numeric: [], size: 20, total: 45 };
const ASKED = {
	name: "kernel_details",
	sort: "",
	descending: false,
	search: "",
	page: 0,
};

/** A model that keeps what is sent and hands on what is said. */
function kernel() {
	/** @type {any[]} */
	const sent = [];
	/** @type {(message: any) => void} */
	let say = () => {};
	const model = {
		send: (/** @type {any} */ message) => sent.push(message),
		on: (/** @type {string} */ _, /** @type {any} */ take) => {
			say = take;
		},
		off: () => {},
	};
	const { signal } = new AbortController();
	const requests = new Requests(/** @type {any} */ (model), signal);
	return { sent, requests, say: (/** @type {any} */ m) => say(m) };
}

describe("what the contract files say", () => {
	it.each(readContract("profile/"))("$name", async ({ ask, answer }) => {
		const { sent, requests, say } = kernel();
		const { kind, id: _, ...asked } = ask;
		const answered =
			kind === "ask_table" ? requests.table(asked) : requests.timeline(asked);
		expect(sent).toEqual([{ ...ask, id: sent[0].id }]);
		say({ ...answer, id: sent[0].id });
		const text = await answered.then(JSON.stringify, String);
		expect(text).toContain(answer.text ?? answer.kind);
	});
});

it("says which rows are shown", () => {
	const rows = Array.from({ length: 5 }, () => []);
	expect(summary({ ...PAGE, rows, page: 2, matching: 45 })).toBe(
		"rows 41 to 45 of 45",
	);
	expect(summary({ ...PAGE, rows, page: 0, matching: 5 })).toBe(
		"rows 1 to 5 of 5 found in 45",
	);
	expect(summary({ ...PAGE, rows: [], page: 0, matching: 0 })).toBe(
		"none of 45 rows",
	);
});

it("asks for a zoomed window to the nanosecond", () => {
	const layout = {
		height: 360,
		meta: { begin_ns: "1736408883704643212", merged: true },
	};
	const event = { "xaxis.range[0]": 0.001, "xaxis.range[1]": 2.5 };
	expect(zoomedWindow({ data: [], layout }, event)).toEqual({
		start_ns: "1736408883704643213",
		end_ns: "1736408883704645712",
	});
});

it("asks for nothing where every event has its bar", () => {
	const exact = {
		data: [],
		layout: { height: 360, meta: { begin_ns: "1", merged: false } },
	};
	const event = { "xaxis.range[0]": 0, "xaxis.range[1]": 1 };
	expect(zoomedWindow(exact, event)).toBeNull();
});

it("gives each answer to the one who asked", async () => {
	const { sent, requests, say } = kernel();
	const [first, second] = [1, 2].map((page) =>
		requests.table({ ...ASKED, page }),
	);
	say({ kind: "table", id: sent[1].id, page: "second" });
	say({ kind: "table", id: sent[0].id, page: "first" });
	expect((await first).page).toBe("first");
	expect((await second).page).toBe("second");
});

it("leaves another view's answer alone", async () => {
	const { sent, requests, say } = kernel();
	const answer = requests.timeline({});
	say({ kind: "timeline", id: "of another view", figure: "other" });
	say({ kind: "timeline", id: sent[0].id, figure: "own" });
	expect((await answer).figure).toBe("own");
});
