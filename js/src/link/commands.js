/** @import { Ack } from "../protocol" */

/** @typedef {{id: string, begun_s: number, answer: Ack | null}} Asked */

/** What was last asked of the kernel, and what it answered. */
export class Commands {
	/** @param {string} page unlike that of any other page of this run */
	constructor(page) {
		this.page = page;
		this.count = 0;
		/** @type {Map<string, Asked>} by kind */
		this.asked = new Map();
	}

	id() {
		return `${this.page}-${++this.count}`;
	}

	/** @param {string} id that was given by it */
	number(id) {
		return Number(id.slice(this.page.length + 1));
	}

	/**
	 * @param {string} kind whose answer is awaited
	 * @param {number} begun_s when the training began that it is meant for
	 */
	expect(kind, begun_s) {
		const id = this.id();
		this.asked.set(kind, { id, begun_s, answer: null });
		return id;
	}

	/** @param {Ack} ack */
	acknowledge(ack) {
		for (const asked of this.asked.values()) {
			if (asked.id === ack.id) asked.answer = ack;
		}
	}

	/**
	 * What became of a command; one for an earlier training no longer counts.
	 * @param {string} kind
	 * @param {number} begun_s
	 */
	state(kind, begun_s) {
		const asked = this.asked.get(kind);
		if (asked?.begun_s !== begun_s) {
			return { waits: false, taken: false, refusal: "" };
		}
		const { answer } = asked;
		return {
			waits: answer === null,
			taken: answer?.ok === true,
			refusal: answer && !answer.ok ? answer.text : "",
		};
	}
}
