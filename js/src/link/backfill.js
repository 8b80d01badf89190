import { ended } from "../data/store.js";

/** @import { Store } from "../data/store.js" */
/** @import { AskRows, Rows } from "../protocol" */

/** The kernel may be in a long step: silence is not a refusal. */
const PATIENCE_MS = 5000;

/** Asks for the rows that the page has not got exactly, one request at a time. */
export class Backfill {
	constructor() {
		/** @type {{id: string, start: number, sent_ms: number} | null} */
		this.open = null;
		/** Rows before it cannot be had. */
		this.given = -Infinity;
	}

	/**
	 * The request to send now, if any.
	 * @param {Store} store
	 * @param {string} id
	 * @param {number} now_ms
	 * @returns {AskRows | null}
	 */
	next(store, id, now_ms) {
		const { status } = store.head;
		if (!status.controls && !ended(status)) return null;
		if (this.open && now_ms - this.open.sent_ms < PATIENCE_MS) return null;
		const oldest = Math.max(this.given, store.history.stop - reach(store));
		const wanted = store.history.missing().find(([, stop]) => stop > oldest);
		if (!wanted) return null;
		const start = Math.max(wanted[0], oldest);
		this.open = { id, start, sent_ms: now_ms };
		return { kind: "ask_rows", id, start, stop: wanted[1] };
	}

	/**
	 * An answer that brings nothing exact means that it cannot be had.
	 * @param {Rows} answer
	 */
	answered({ id, block }) {
		if (this.open?.id !== id) return;
		const { start } = this.open;
		this.open = null;
		if (block.reduced || block.stop <= start) {
			this.given = Math.max(start + 1, block.stop);
		}
	}
}

/**
 * How many rows back it is worth to ask: what the budget holds with some room.
 * @param {Store} store
 */
function reach({ head, history }) {
	const row = 8 * (4 + 2 * head.metrics.length);
	return Math.floor(history.budget / row);
}
