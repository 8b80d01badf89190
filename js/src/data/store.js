import { byteLength, decode } from "./frames.js";
import { History } from "./history.js";

/** @import { Block, Delta, Head, Rows, Status } from "../protocol" */

/**
 * All that the page knows of a run.
 * @typedef {{
 *   head: Head, history: History, seq: number,
 *   skew: number | null, version: number,
 * }} Store `skew`: page's clock minus the
 *   kernel's; `version` changes with all that curves show
 */

export const ENDED = ["stopped", "failed", "finished", "lost"];

/** @param {Status} status */
export const ended = ({ phase }) => ENDED.includes(phase);

/**
 * @param {Head} head
 * @param {number} [budget] bytes
 * @returns {Store}
 */
export function createStore(head, budget) {
	const history = new History(budget);
	return { head, history, seq: 0, skew: null, version: 0 };
}

/**
 * Takes in the snapshot traits; they may lag behind the messages.
 * @param {Store} store
 * @param {{head: Head, seq: number, block: Block, buffer: DataView}} snapshot
 */
export function restore(store, { head, seq, block, buffer }) {
	if (head.status.sent_s >= store.head.status.sent_s) store.head = head;
	store.seq = Math.max(store.seq, seq);
	// The traits may arrive one by one: a block of another buffer waits for its own.
	if (byteLength(block) === buffer.byteLength) add(store, block, buffer);
	store.version++;
}

/**
 * Takes in one message with numbers. Rows that are there already change nothing.
 * @param {Store} store
 * @param {Delta | Rows} message
 * @param {DataView} buffer
 * @param {number} now_s the page's clock
 */
export function reduce(store, message, buffer, now_s) {
	if (message.kind === "delta") hear(store, message, now_s);
	add(store, message.block, buffer);
	return store;
}

/**
 * Takes in what a page holds of tracks that it does not show at first.
 * @param {Store} store
 * @param {Block} block
 * @param {DataView} buffer
 */
export function setBeside(store, block, buffer) {
	if (block.stop <= block.start) return;
	store.history.setBeside(decode(block, buffer));
	store.version++;
}

/**
 * @param {Store} store
 * @param {Delta} delta
 * @param {number} now_s
 */
function hear(store, { seq, head, status }, now_s) {
	store.skew = Math.min(store.skew ?? Infinity, now_s - status.sent_s);
	if (seq < store.seq) return;
	store.seq = seq;
	if (head) store.version++;
	store.head = { ...(head ?? store.head), status };
}

/**
 * @param {Store} store
 * @param {Block} block
 * @param {DataView} buffer
 */
function add(store, block, buffer) {
	if (block.stop <= block.start) return;
	store.history.add(decode(block, buffer));
	store.version++;
}

/**
 * True when each row up to the newest is held as it was logged.
 * @param {Store} store
 */
export const isExact = ({ history }) =>
	history.floor <= history.first && history.missing().length === 0;
