/** @import { Ack } from "./protocol" */

/** What was asked of the kernel and not answered yet. */
export class Commands {
	/** @param {string} page unlike that of any other page of this run */
	constructor(page) {
		this.page = page;
		this.count = 0;
		/** @type {Map<string, string>} id to kind */
		this.pending = new Map();
		/** Why the kernel refused the last command. */
		this.refusal = "";
	}

	id() {
		return `${this.page}-${++this.count}`;
	}

	/** @param {string} kind whose answer is awaited */
	expect(kind) {
		const id = this.id();
		this.pending.set(id, kind);
		this.refusal = "";
		return id;
	}

	/** @param {Ack} ack */
	acknowledge({ id, ok, text }) {
		if (!this.pending.delete(id)) return;
		this.refusal = ok ? "" : text;
	}

	/** @param {string} kind */
	waits(kind) {
		return [...this.pending.values()].includes(kind);
	}
}
