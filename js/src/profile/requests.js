/** @import { AnyModel } from "@anywidget/types" */
/** @import { ProfileState } from "./types" */

let last = 0;

/** Questions to the kernel and their answers, matched by id. */
export class Requests {
	/** @type {Map<number, {resolve(answer: any): void, reject(error: Error): void}>} */
	#open = new Map();
	/** @type {(value: void) => void} */
	#hear = () => {};
	#model;
	/** Settled when the kernel has answered once. */
	heard = new Promise((resolve) => {
		this.#hear = resolve;
	});

	/**
	 * @param {AnyModel<ProfileState>} model
	 * @param {AbortSignal} signal
	 */
	constructor(model, signal) {
		this.#model = model;
		/** @param {any} message */
		const take = (message) => this.#take(message);
		model.on("msg:custom", take);
		signal.addEventListener("abort", () => model.off("msg:custom", take));
	}

	/**
	 * @param {string} kind
	 * @param {object} given
	 * @returns {Promise<any>}
	 */
	ask(kind, given) {
		last += 1;
		const id = last;
		this.#model.send({ kind, id, ...given });
		return new Promise((resolve, reject) => {
			this.#open.set(id, { resolve, reject });
		});
	}

	/** @param {{id: number, failed?: string}} message */
	#take(message) {
		const asked = this.#open.get(message.id);
		if (!asked) return; // another view's
		this.#open.delete(message.id);
		this.#hear();
		if (message.failed) asked.reject(new Error(message.failed));
		else asked.resolve(message);
	}
}
