/** @import { AskView } from "../protocol" */

/** @typedef {Pick<AskView, "wants" | "track" | "summaries">} Looked */

/** While the reader scrolls or zooms, what is asked is what is seen at the end. */
const PAUSE_MS = 50;

/** Asks for what a page shows, the newest only. */
export class Looking {
	/** @param {(looked: Looked, after: string) => string} send returns the ask's id */
	constructor(send) {
		this.send = send;
		/** @type {Looked} */
		this.looked = { wants: [], track: "", summaries: [] };
		/** What was asked last, as text, and the id of that. */
		this.asked = "";
		this.id = "";
		/** Whether all that has come since is here. */
		this.holds = false;
		/** @type {ReturnType<typeof setTimeout> | undefined} */
		this.timer = undefined;
	}

	/** @param {Looked} looked what the page shows now */
	look(looked) {
		this.looked = looked;
		if (JSON.stringify(looked) !== this.asked) this.#soon();
	}

	/** Something is lost: all is asked again. */
	again() {
		this.holds = false;
		this.asked = "";
		this.#soon();
	}

	/** Nobody looks any more. */
	rest() {
		clearTimeout(this.timer);
		Object.assign(this, { timer: undefined, holds: false, asked: "" });
	}

	#soon() {
		this.timer ??= setTimeout(() => {
			this.timer = undefined;
			this.asked = JSON.stringify(this.looked);
			this.id = this.send(this.looked, this.holds ? this.id : "");
			this.holds = true;
		}, PAUSE_MS);
	}
}
