import { expect, it } from "vitest";
import { extent, head, status, track } from "../../test/samples.js";
import { hear } from "./news.js";

/** @import { ListPart, News } from "../protocol" */
/** @import { Known } from "./news.js" */

/** @param {number} seq @param {Partial<News>} [more] @returns {News} */
const news = (seq, more = {}) => ({
	...{ kind: "news", seq, alert_count: 0, parts: [] },
	...{ status: status({ sent_s: 1100 + seq }), ...more },
});

/** @param {number} start @param {number} length @param {string[]} items @returns {ListPart} */
const notices = (start, length, items) => ({
	name: "notices",
	start,
	length,
	items,
});

/** @returns {Known} */
const known = () => ({
	head: head({ notices: ["a", "b", "c"] }),
	extents: [],
	seq: 4,
	torn: false,
});

it("puts what has changed of a list in its place", () => {
	const page = known();
	hear(page, news(5, { parts: [notices(1, 4, ["B", "C", "d"])] }));
	expect(page.head.notices).toEqual(["a", "B", "C", "d"]);
	hear(page, news(6, { parts: [notices(2, 2, [])] }));
	expect(page.head.notices).toEqual(["a", "B"]);
});

it("takes a new status without anything else", () => {
	const page = known();
	hear(
		page,
		news(5, { status: status({ phase: "evaluating", sent_s: 1200 }) }),
	);
	expect([page.head.status.phase, page.head.notices.length]).toEqual([
		"evaluating",
		3,
	]);
});

it("does not take news twice, nor older ones later", () => {
	const page = known();
	const message = news(5, { parts: [notices(3, 4, ["d"])] });
	hear(page, message);
	hear(page, message);
	expect(page.head.notices).toEqual(["a", "b", "c", "d"]);
	hear(page, news(4, { status: status({ phase: "compiling", sent_s: 1104 }) }));
	expect(page.head.status.phase).toBe("training");
});

it("waits for the whole after a loss, and shows the status meanwhile", () => {
	const page = known();
	hear(
		page,
		news(6, {
			parts: [notices(0, 1, ["torn"])],
			status: status({ step: 50, sent_s: 1106 }),
		}),
	);
	expect([page.torn, page.head.notices.length, page.head.status.step]).toEqual([
		true,
		3,
		50,
	]);
	const { run } = head();
	hear(
		page,
		news(7, {
			run,
			parts: [
				notices(0, 1, ["whole"]),
				{ name: "tracks", start: 0, length: 1, items: [track("x")] },
			],
		}),
	);
	expect([page.torn, page.head.notices, page.head.tracks[0].id]).toEqual([
		false,
		["whole"],
		"x",
	]);
});

it("hears how far the tracks are", () => {
	const page = known();
	hear(
		page,
		news(5, {
			parts: [{ name: "extents", start: 0, length: 1, items: [extent("a")] }],
		}),
	);
	expect(page.extents).toEqual([extent("a")]);
});
