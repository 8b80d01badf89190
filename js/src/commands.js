/** @import { Ack } from "./protocol" */

/** What was asked of the kernel and not answered yet. */
export class Commands {
	/** @param {string} page unlike that of any other page of this run */
	constructor(page) {
		this.page = page;
		this.count = 0;
		/** @type {Map<string, string>} id to kind */
		this.pending = new Map();
		/** What the kernel said to the last command. */
		this.answer = "";
	}

	id() {
		return `${this.page}-${++this.count}`;
	}

	/** @param {string} kind whose answer is awaited */
	expect(kind) {
		const id = this.id();
		this.pending.set(id, kind);
		this.answer = "";
		return id;
	}

	/** @param {Ack} ack */
	acknowledge({ id, text }) {
		if (this.pending.delete(id)) this.answer = text;
	}

	/** @param {string} kind */
	waits(kind) {
		return [...this.pending.values()].includes(kind);
	}
}
