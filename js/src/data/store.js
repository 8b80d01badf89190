import { Cache } from "./cache.js";
import { hear } from "./news.js";

/** @import { Extent, Head, Key, News, Status, View, Want } from "../protocol" */
/** @import { Held } from "./extracts.js" */
/** @import { Known } from "./news.js" */

/**
 * All that the page knows of a run.
 * @typedef {Known & {
 *   cache: Cache, told: Map<string, number>, newest: Map<string, number>,
 *   summaries: Map<string, number[]>,
 *   view: number, skew: number | null, version: number,
 * }} Store `told`: up to which key of a track all has come that was asked; `newest`: what
 *   the news say there is; `summaries`: ten numbers (see `Summaries`) by metric of the main track;
 *   `view`: how many views have come; `skew`: page's clock minus the kernel's;
 *   `version` changes with what curves show beside their numbers
 */

export const ENDED = ["stopped", "failed", "finished", "lost"];

/**
 * What a page that is made late starts from.
 * @typedef {{head: Head, extents: Extent[], seq: number, held: Held[]}} Start
 */

/** What comes unasked counts as an answer to an ask before the first. */
const BEFORE = -1;

/** @param {Status} status */
export const ended = ({ phase }) => ENDED.includes(phase);

/**
 * @param {Head} head
 * @param {number} [budget] bytes
 * @returns {Store}
 */
export const createStore = (head, budget) => ({
	...{ head, extents: [], seq: 0, torn: false, cache: new Cache(budget) },
	...{ told: new Map(), newest: new Map(), summaries: new Map() },
	...{ view: 0, skew: null, version: 0 },
});

/**
 * Takes in what a page starts from; it may lag behind the news.
 * @param {Store} store
 * @param {Start} start
 */
export function restore(store, { head, extents, seq, held }) {
	const isNewer = head.status.sent_s >= store.head.status.sent_s;
	// One that is cut is better than none.
	const isCut = seq < 0;
	if (isCut ? store.seq === 0 : seq >= store.seq && isNewer) {
		Object.assign(store, { head, seq: Math.max(seq, 0), torn: isCut });
		spans(store, extents);
	}
	store.version++;
	for (const extract of held) store.cache.take(extract, BEFORE);
}

/**
 * @param {Store} store
 * @param {News} news
 * @param {number} now_s the page's clock
 */
export function takeNews(store, news, now_s) {
	store.skew = Math.min(store.skew ?? Infinity, now_s - news.status.sent_s);
	const before = store.extents;
	const changed = hear(store, news);
	const { extents } = store;
	store.extents = before;
	spans(store, extents);
	for (const extent of extents) {
		for (const key of KEYS) {
			const end = extent[key]?.[1] ?? -Infinity;
			const name = nameOf(extent.track, key);
			store.newest.set(name, Math.max(end, store.newest.get(name) ?? end));
		}
	}
	if (
		["run", "metrics", "marks", "references"].some((name) => changed.has(name))
	)
		store.version++;
}

/**
 * Takes in extracts; says whether all that came before them is here.
 * @param {Store} store
 * @param {Pick<View, "seq" | "whole" | "ends">} view
 * @param {Held[]} extracts
 * @param {number} ask the number of the ask that it answers
 */
export function takeView(store, { seq, whole, ends }, extracts, ask) {
	const isNext = seq === store.view + 1;
	// The kernel that has forgotten a page counts from 1 again.
	if (seq <= store.view && seq > 1) return true;
	store.view = seq;
	if (!isNext) store.cache.tear();
	for (const held of extracts) store.cache.take(held, ask);
	if (!isNext) return false;
	for (const end of ends) {
		store.cache.reach(end, ask);
		store.told.set(nameOf(end.track, end.key), end.end);
	}
	if (ends.length) spans(store, store.extents);
	if (whole) store.cache.complete(ask);
	return true;
}

/**
 * What the tracks span, up to where all is known that is looked at: what is new comes
 * with the next view. A track of fewer rows than before was read anew.
 * @param {Store} store
 * @param {Extent[]} extents
 */
function spans(store, extents) {
	const before = new Map(store.extents.map((extent) => [extent.track, extent]));
	store.extents = extents.map((extent) => {
		const { track, rows } = extent;
		if (rows < (before.get(track)?.rows ?? 0)) {
			store.cache.forget(track);
			for (const key of KEYS) {
				store.told.delete(nameOf(track, key));
				store.newest.delete(nameOf(track, key));
			}
		}
		const told = KEYS.map((key) => {
			const end = store.told.get(nameOf(track, key));
			const span = extent[key];
			return [key, span && [span[0], end ?? span[1]]];
		});
		return { ...extent, ...Object.fromEntries(told) };
	});
}

/**
 * @param {string} track
 * @param {Key} key
 */
const nameOf = (track, key) => `${key} ${track}`;

/**
 * Whether something that is looked at, and was there long ago, has not come: a message
 * that is lost, and after which none follows.
 * @param {Store} store
 * @param {Map<string, number>} newest what the news said then
 * @param {Pick<Want, "track" | "key">[]} wants
 */
export const lags = ({ told }, newest, wants) =>
	wants.some(({ track, key }) => {
		const name = nameOf(track, key);
		return (told.get(name) ?? Infinity) < (newest.get(name) ?? -Infinity);
	});

/** @type {Key[]} */
const KEYS = ["step", "time", "epoch"];

/** @param {Store} store */
export const extentsOf = ({ extents }) =>
	new Map(extents.map((extent) => [extent.track, extent]));
