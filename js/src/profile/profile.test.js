import { expect, it } from "vitest";
import { Requests } from "./requests.js";
import { summary } from "./tables.js";
import { zoomedWindow } from "./timeline.js";

const PAGE = { columns: [], numeric: [], size: 20, total: 45 };
const MERGED = {
	data: [],
	layout: { meta: { begin_ns: "1736408883704643212", merged: true } },
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
	const event = { "xaxis.range[0]": 0.001, "xaxis.range[1]": 2.5 };
	expect(zoomedWindow(MERGED, event)).toEqual({
		start_ns: "1736408883704643213",
		end_ns: "1736408883704645712",
	});
});

it("asks for nothing where every event has its bar", () => {
	const exact = {
		data: [],
		layout: { meta: { begin_ns: "1", merged: false } },
	};
	const event = { "xaxis.range[0]": 0, "xaxis.range[1]": 1 };
	expect(zoomedWindow(exact, event)).toBeNull();
});

it("gives each answer to the one who asked", async () => {
	const { sent, requests, say } = kernel();
	const [first, second] = [1, 2].map((n) => requests.ask("ask_rows", { n }));
	say({ id: sent[1].id, total: 2 });
	say({ id: sent[0].id, total: 1 });
	expect((await first).total).toBe(1);
	expect((await second).total).toBe(2);
});

it("says why the kernel could not answer", async () => {
	const { sent, requests, say } = kernel();
	const answer = requests.ask("ask_rows", {});
	say({ id: sent[0].id, failed: "KeyError: no such table" });
	await expect(answer).rejects.toThrow("no such table");
});
