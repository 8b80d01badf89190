/** @import { Ack } from "./protocol" */

/** What was asked of the kernel and not answered yet. */
export class Commands {
	/** @param {string} page unlike that of any other page of this run */
	constructor(page) {
		this.page = page;
		this.count = 0;
		/** @type {Map<string, string>} id to kind */
		this.pending = new Map();
		/** @type {Set<string>} kinds that the kernel has taken */
		this.taken = new Set();
		/** Why the kernel did not take the last command. */
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
		const kind = this.pending.get(id);
		if (kind === undefined) return;
		this.pending.delete(id);
		if (ok) this.taken.add(kind);
		else this.refusal = text;
	}

	/** @param {string} kind */
	waits(kind) {
		return [...this.pending.values()].includes(kind);
	}
}
