import { describe, expect, it } from "vitest";
import { head, theme, track } from "../../test/samples.js";
import { initialChoice } from "../data/choice.js";
import { groups } from "./track_rows.js";

/** @import { Track } from "../protocol" */

const KERNEL = { held: new Set(), asks: true };

/** @param {Track[]} tracks */
const listed = (...tracks) =>
	groups(head({ tracks }), initialChoice(), 1100, theme, KERNEL);

/** @param {number} rank @param {Partial<Track>} [news] */
const rank = (rank, news) =>
	track(`0.${rank}`, { rank, label: `run · rank ${rank}`, ...news });

describe("groups", () => {
	it("says how far a rank is", () => {
		const [{ rows }] = listed(track("a"));
		expect(rows[0]).toMatchObject({
			label: "run",
			state: "training · step 40",
			trouble: false,
		});
	});

	it("says for how long a rank has been silent, and not of one that ended", () => {
		const news = { last_value_s: 1000 };
		const [{ rows, state }] = listed(
			rank(0, news),
			rank(1, { ...news, phase: "finished" }),
		);
		expect(rows[0].state).toBe("training · step 40 · silent for 1 min 40 s");
		expect(rows.map(({ trouble }) => trouble)).toEqual([true, false]);
		expect(state).toBe("2 of 2 shown · 1 silent, 1 finished · step 40");
	});

	it("says which rank is lost, and after which step", () => {
		const [{ rows, state }] = listed(rank(0), rank(1, { phase: "lost" }));
		expect(rows[1]).toMatchObject({ state: "lost · step 40", trouble: true });
		expect(state).toBe("2 of 2 shown · 1 training, 1 lost · step 40");
	});

	it("says why there is nothing to see", () => {
		const note = "no loss on this rank: stage 0 of 2";
		const [{ rows }] = listed(rank(0, { step: null, note }), rank(1));
		expect(rows[0].state).toBe(`training · ${note}`);
	});

	it("says that values were asked for and are not here yet", () => {
		const tracks = [rank(0), rank(1, { shown: false })];
		const choice = { ...initialChoice(), tracks: { 0.1: true } };
		const [{ rows }] = groups(head({ tracks }), choice, 1100, theme, KERNEL);
		expect(rows.map(({ state }) => state)).toEqual([
			"training · step 40",
			"training · step 40 · waiting for its values",
		]);
	});

	it("offers without a kernel only what is here", () => {
		const tracks = [0, 1, 2].map((n) => rank(n, { shown: n === 0 }));
		const alone = { held: new Set(["0.1"]), asks: false };
		const choice = initialChoice();
		const [{ rows }] = groups(head({ tracks }), choice, 1100, theme, alone);
		expect(rows.map(({ here }) => here)).toEqual([true, true, false]);
		expect(rows[2].state).toBe("training · step 40 · its values are not here");
	});

	it("shows and hides both ends of a band together", () => {
		const stat = (/** @type {"min" | "max"} */ stat) =>
			track(stat, { stat, rank: -1, label: `run · ${stat} of 2 ranks` });
		const [{ rows }] = listed(stat("min"), stat("max"), rank(0));
		expect(rows.map(({ label, ids }) => [label, ids])).toEqual([
			["min–max of 2 ranks", ["min", "max"]],
			["rank 0", ["0.0"]],
		]);
	});

	it("folds runs of very many ranks", () => {
		const many = Array.from({ length: 64 }, (_, i) => rank(i));
		expect(listed(...many)[0].folded).toBe(true);
		expect(listed(rank(0), rank(1))[0].folded).toBe(false);
	});
});
