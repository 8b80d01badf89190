import { describe, expect, it } from "vitest";
import { readContract } from "../../test/contract.js";
import { rows, status, storeOf, track } from "../../test/samples.js";
import { initialChoice } from "../data/choice.js";
import { summedRows } from "../data/summed.js";
import { hasRanks, isOdd, messages } from "./messages.js";

/** @import { AlertInfo, Head, Status, Track } from "../protocol" */

const NOW_S = 1100;

/** @param {Partial<Head>} news @param {number[]} [values] */
function told(news, values = [1, 1]) {
	const store = storeOf({ "": rows(values) }, news);
	const own = store.head.tracks[0];
	store.head.run = { ...store.head.run, name: own.run, rank: own.rank };
	store.summaries.set("loss", summedRows(rows(values), "loss", "lower"));
	return messages(store, initialChoice(), NOW_S, []);
}

/** @param {Partial<Head>} news @param {number[]} [values] */
const lines = (news, values) =>
	told(news, values).map(({ severity, text, place }) =>
		[severity, text, place].filter(Boolean).join(" | "),
	);

/** @param {number} wall_time_s @param {Partial<AlertInfo>} [news] @returns {AlertInfo} */
const alert = (wall_time_s, news = {}) => ({
	...{ rule: "mine", step: 1, rank: 0, wall_time_s, severity: "warning" },
	...{
		metric: "",
		message: `at ${wall_time_s}`,
		advice: "",
		track: "",
		...news,
	},
});

/** @param {Partial<Track>[]} news one for each rank */
const ranks = (news) =>
	news.map((one, rank) =>
		track(`0.${rank}`, {
			...{ run: "run", rank, last_value_s: NOW_S - 1, step: 40, ...one },
		}),
	);

describe("messages", () => {
	it("has none where all is well", () => {
		expect(told({ status: status() })).toEqual([]);
	});

	it("puts errors first, then the newest", () => {
		const alerts = [alert(5), alert(9), alert(7, { severity: "error" })];
		expect(
			lines({ alerts, alert_count: 5, notices: ["a disk is full"] }),
		).toEqual([
			"error | at 7 | step 1",
			"warning | at 9 | step 1",
			"warning | at 5 | step 1",
			"info | 2 older alerts are in run.alerts",
			"info | a disk is full",
		]);
	});

	it("says the last line of what a run failed with", () => {
		const detail = "Traceback:\n  line 3\nValueError: no";
		const failed = status({ phase: "failed", detail });
		const [end] = told({ status: failed });
		expect([end.text, end.place]).toEqual([
			"failed: ValueError: no",
			"step 40",
		]);
		expect(end.more).toBe("Traceback:\n  line 3");
	});

	it("says where a run was lost, and how that is known", () => {
		const lost = status({ phase: "lost", detail: "process 7 on a is gone" });
		expect(lines({ status: lost })).toEqual([
			"error | lost: process 7 on a is gone | step 40",
		]);
	});

	it("tells a value that is not finite from one that was", () => {
		const now = told({}, [1, Infinity, Number.NaN]);
		expect(now[0]).toMatchObject({
			...{ severity: "error", text: "loss is not finite" },
			more: "1 NaN · 1 +Inf",
		});
		expect(isOdd(now)).toBe(true);
		const before = told({}, [1, Number.NaN, 1]);
		expect(before[0]).toMatchObject({
			...{ severity: "warning", text: "loss was not finite" },
		});
		expect(isOdd(before)).toBe(false);
	});

	it("names ranks that have stopped, failed or are silent, and counts many", () => {
		const silent = { last_value_s: NOW_S - 540 };
		/** @type {Partial<Track>[]} */
		const states = [{}, { phase: "stopped" }, { phase: "failed", step: 7 }];
		const tracks = ranks([...states, ...Array(5).fill(silent)]);
		expect(lines({ tracks })).toEqual([
			"error | rank 2 failed | step 7",
			"warning | rank 1 stopped | step 40",
			"warning | ranks 3, 4, 5 and 2 more silent | for 9 min 0 s",
		]);
		expect(hasRanks(told({ tracks }))).toBe(true);
		expect(hasRanks(told({ tracks: ranks([{}, {}]) }))).toBe(false);
	});

	it("says what of a rank is unlike the others", () => {
		const tracks = ranks([{}, { odd: "its loss is NaN" }]);
		expect(lines({ tracks })).toEqual(["warning | rank 1: its loss is NaN"]);
		expect(hasRanks(told({ tracks }))).toBe(true);
	});

	it("misses no rank of a run that is over", () => {
		const tracks = ranks([{ phase: "finished" }, { phase: "stopped" }]);
		expect(told({ status: status({ phase: "finished" }), tracks })).toEqual([]);
	});

	it("names the run of an alert where there are several", () => {
		const [bundle] = readContract("").filter(
			({ name }) => name === "bundle.json",
		);
		const { alerts, tracks } = /** @type {Head} */ (bundle.head);
		/** @param {Track[]} tracks */
		const place = (tracks) =>
			told({ alerts, alert_count: 1, tracks }).find(({ goal }) => goal.alert)
				?.place;
		expect(place(tracks)).toBe("基线, step 3");
		expect(place(tracks.slice(1))).toBe("step 3");
	});
});
