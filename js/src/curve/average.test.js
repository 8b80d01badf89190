import { describe, expect, it } from "vitest";
import { chunk } from "../../test/samples.js";
import { History } from "../data/history.js";
import { average } from "./average.js";

/** @import { Chunk } from "../data/frames.js" */

/** @param {Chunk[]} chunks */
function averaged(...chunks) {
	const history = new History();
	for (const each of chunks) history.add(each);
	const { values, whole } = average(history.segments, "loss", 0.5);
	const of = history.segments.map(({ series, rows }) => {
		const all = values.get(/** @type {any} */ (series.get("loss")));
		return all && [...all.slice(0, rows.length)];
	});
	return { of, whole };
}

describe("average", () => {
	it("is the same whether the rows come at once or one by one", () => {
		const once = averaged(chunk(0, [4, 2, 8]));
		expect(averaged(chunk(0, [4]), chunk(1, [2, 8]))).toEqual(once);
		expect(once.whole).toBe(true);
	});

	it("goes on through an envelope without a gap, and says so", () => {
		const envelope = { ...chunk(2, [9, 1, 9]), reduced: true };
		const { of, whole } = averaged(chunk(0, [4, 2]), envelope, chunk(5, [4]));
		const { of: exact } = averaged(chunk(0, [4, 2, 9, 1, 9, 4]));
		expect(of.flat()).toEqual(exact[0]);
		expect(whole).toBe(false);
	});

	it("begins anew with the steps of a later attempt, and leaves the earlier", () => {
		const first = chunk(0, [9, 9, 9, 9]);
		const again = { ...chunk(4, [1, 1]), steps: Float64Array.from([3, 4]) };
		expect(averaged(first, again).of).toEqual([[9, 9, 9, 9, 1, 1]]);
	});

	it("begins anew where an attempt goes on right behind the one before", () => {
		const history = new History();
		history.add(chunk(0, [9, 9]));
		history.add(chunk(2, [1, 1]));
		const { values } = average(history.segments, "loss", 0.5, [2]);
		expect([...values.values()][0].slice(0, 4)).toEqual(
			Float64Array.from([9, 9, 1, 1]),
		);
	});

	it("does not mind an envelope of others before the first row", () => {
		const others = { ...chunk(-2, [1, 2]), reduced: true };
		const [column] = others.columns.values();
		others.columns = new Map([["0.7\x1floss", column]]);
		const { of, whole } = averaged(others, chunk(0, [4, 2]));
		expect([of[1], whole]).toEqual([averaged(chunk(0, [4, 2])).of[0], true]);
	});

	it("begins anew after rows that are missing", () => {
		const { of, whole } = averaged(chunk(0, [9, 9]), chunk(50, [4]));
		expect(of[1]).toEqual([4]);
		expect(whole).toBe(false);
	});
});
