/** @import { AnyModel } from "@anywidget/types" */
/** @import { AskTable, AskTimeline, ProfileDown, ProfileState, ProfileUp, TableAnswer, TimelineAnswer } from "../protocol" */

/** Questions to the kernel and their answers, matched by id. */
export class Requests {
	/** @type {Map<string, {resolve(answer: any): void, reject(error: Error): void}>} */
	#open = new Map();
	#page = Math.random().toString(36).slice(2);
	#count = 0;
	#model;

	/**
	 * @param {AnyModel<ProfileState>} model
	 * @param {AbortSignal} signal
	 */
	constructor(model, signal) {
		this.#model = model;
		/** @param {ProfileDown} message */
		const take = (message) => this.#take(message);
		model.on("msg:custom", take);
		signal.addEventListener("abort", () => model.off("msg:custom", take));
	}

	/**
	 * @param {Omit<AskTable, "kind" | "id">} asked
	 * @returns {Promise<TableAnswer>}
	 */
	table(asked) {
		return this.#ask({ kind: "ask_table", id: this.#id(), ...asked });
	}

	/**
	 * @param {Omit<AskTimeline, "kind" | "id">} asked
	 * @returns {Promise<TimelineAnswer>}
	 */
	timeline(asked) {
		return this.#ask({ kind: "ask_timeline", id: this.#id(), ...asked });
	}

	#id() {
		return `${this.#page}-${++this.#count}`;
	}

	/**
	 * @param {ProfileUp} question
	 * @returns {Promise<any>}
	 */
	#ask(question) {
		this.#model.send(question);
		return new Promise((resolve, reject) => {
			this.#open.set(question.id, { resolve, reject });
		});
	}

	/** @param {ProfileDown} message */
	#take(message) {
		const asked = this.#open.get(message.id);
		if (!asked) return; // another view's
		this.#open.delete(message.id);
		if (message.kind === "refusal") asked.reject(new Error(message.text));
		else asked.resolve(message);
	}
}

export const WAITING =
	"Waiting for the kernel: it answers while no cell runs\u2026";
