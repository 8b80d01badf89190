/** @import { Block, State } from "../protocol" */

/**
 * What `mswidget.widget.html_page` wrote. `edition` names the process that writes
 * the page again and again, every `every_s` seconds; 0 when it is the last time.
 * `beside` is what it has of tracks that are not shown at first.
 * @typedef {{block: Block, buffer: DataView}} Beside
 * @typedef {{
 *   edition: string, every_s: number, state: State, beside: Beside,
 * }} Embedded
 */

/**
 * @param {Document} page
 * @returns {Embedded}
 */
export function readEmbedded(page) {
	const { edition, every_s, state, beside } = JSON.parse(text(page, "state"));
	return {
		edition,
		every_s,
		state: { ...state, snapshot: bytes(page, "snapshot") },
		beside: { block: beside, buffer: bytes(page, "beside") },
	};
}

/**
 * @param {Document} page
 * @param {string} name
 */
export function bytes(page, name) {
	const coded = atob(text(page, name));
	const numbers = new Uint8Array(coded.length);
	for (let i = 0; i < coded.length; i++) numbers[i] = coded.charCodeAt(i);
	return new DataView(numbers.buffer);
}

/**
 * @param {Document} page
 * @param {string} name
 */
const text = (page, name) =>
	page.getElementById(`mswidget-${name}`)?.textContent ?? "";

/** A widget's model where no kernel is: what the page holds. */
export class EmbeddedModel {
	/**
	 * @param {State} state
	 * @param {DataView} plotly packed
	 */
	constructor(state, plotly) {
		this.state = state;
		/** @type {Map<string, Set<(...args: any[]) => void>>} */
		this.listeners = new Map();
		const asset = { get: () => plotly };
		this.widget_manager = { get_model: () => Promise.resolve(asset) };
	}

	/** @param {keyof State} name */
	get(name) {
		return this.state[name];
	}

	/** @param {State} state all traits at once */
	set(state) {
		this.state = state;
		this.#tell("change:snapshot");
	}

	/** @param {Beside} beside */
	add({ block, buffer }) {
		this.#tell("msg:custom", { kind: "beside", block }, [buffer]);
	}

	/**
	 * @param {string} event
	 * @param {any[]} args
	 */
	#tell(event, ...args) {
		for (const listener of this.listeners.get(event) ?? []) listener(...args);
	}

	/**
	 * @param {string} event
	 * @param {(...args: any[]) => void} listener
	 */
	on(event, listener) {
		const held = this.listeners.get(event) ?? new Set();
		this.listeners.set(event, held.add(listener));
	}

	/**
	 * @param {string} event
	 * @param {(...args: any[]) => void} listener
	 */
	off(event, listener) {
		this.listeners.get(event)?.delete(listener);
	}

	/** Nobody is there to answer. */
	send() {}
}
