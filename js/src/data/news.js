/** @import { Extent, Head, ListPart, News } from "../protocol" */

/**
 * What the page knows of a run but numbers. `torn`: some news were lost, and the whole
 * is awaited.
 * @typedef {{head: Head, extents: Extent[], seq: number, torn: boolean}} Known
 */

/**
 * Takes news in; returns the names of what has changed. News that came before change
 * nothing.
 * @param {Known} known
 * @param {News} news
 * @returns {Set<string>}
 */
export function hear(known, { seq, status, alert_count, run, parts }) {
	const isNext = seq === known.seq + 1;
	if (seq <= known.seq && status.sent_s <= known.head.status.sent_s)
		return new Set();
	// The run is told only when it is another, and where all is told again.
	known.torn = !run && (known.torn || !isNext);
	known.seq = seq;
	known.head = { ...known.head, status };
	if (known.torn) return new Set();
	known.head = { ...known.head, alert_count, run: run ?? known.head.run };
	for (const part of parts) change(known, part);
	return new Set([...parts.map(({ name }) => name), ...(run ? ["run"] : [])]);
}

/**
 * @param {Known} known
 * @param {ListPart} part
 */
function change(known, { name, start, length, items }) {
	const before = name === "extents" ? known.extents : known.head[name];
	const now = [
		...before.slice(0, start),
		...items,
		...before.slice(start + items.length),
	].slice(0, length);
	if (name === "extents") known.extents = /** @type {Extent[]} */ (now);
	else known.head = { ...known.head, [name]: now };
}
