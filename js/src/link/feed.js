import { createStore, reduce, restore, setBeside } from "../data/store.js";
import { Backfill } from "./backfill.js";
import { Commands } from "./commands.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { Block, Down, State } from "../protocol" */

/** What a page holds itself. @typedef {{kind: "beside", block: Block}} BesideMessage */

const DEAD = ["dead", "terminating", "autorestarting", "restarting"];
const NOTHING = new DataView(new ArrayBuffer(0));

/** One model's store, fed from `initialize` on, before and between views. */
export class Feed {
	/**
	 * @param {AnyModel<State>} model
	 * @param {AbortSignal} signal
	 */
	constructor(model, signal) {
		this.model = model;
		this.store = createStore(model.get("head"));
		this.commands = new Commands(Math.random().toString(36).slice(2));
		this.backfill = new Backfill();
		this.closed = false;
		this.error = "";
		/** @type {Set<() => void>} */
		this.listeners = new Set();
		/** @type {ReturnType<typeof setInterval> | undefined} runs with a view */
		this.timer = undefined;
		this.#listen(signal);
		this.guard(() => this.#restore());
	}

	/** The kernel of this run has ended or forgotten it. */
	get gone() {
		return this.closed || DEAD.includes(kernelStatus(this.model));
	}

	/**
	 * Shows an error of ours in the page instead of losing it in the console.
	 * @param {() => void} action
	 */
	guard(action) {
		try {
			action();
		} catch (error) {
			this.fail(error);
		}
	}

	/** @param {unknown} error */
	fail(error) {
		const text = error instanceof Error ? error.message : String(error);
		// Telling draws again, which may fail again: once is enough.
		if (text === this.error) return;
		this.error = text;
		console.error("mswidget:", error);
		this.#tell();
	}

	stop() {
		const { begun_s } = this.store.head.status;
		const id = this.commands.expect("ask_stop", begun_s);
		this.model.send({ kind: "ask_stop", id });
		this.#tell();
	}

	/** @param {string[]} shown ids of the tracks whose rows are wanted */
	askTracks(shown) {
		this.model.send({ kind: "ask_tracks", id: this.commands.id(), shown });
	}

	/**
	 * Calls back at news until `signal`; rows are asked for while anyone looks.
	 * @param {() => void} listener
	 * @param {AbortSignal} signal
	 */
	watch(listener, signal) {
		this.listeners.add(listener);
		this.timer ??= setInterval(() => this.guard(() => this.fill()), 1000);
		signal.addEventListener("abort", () => {
			this.listeners.delete(listener);
			if (this.listeners.size) return;
			clearInterval(this.timer);
			this.timer = undefined;
		});
		this.guard(() => this.fill());
	}

	/** Asks for missing rows; called from time to time. */
	fill() {
		if (this.gone || !this.listeners.size) return;
		const ask = this.backfill.next(this.store, this.commands.id(), Date.now());
		if (ask) this.model.send(ask);
	}

	/** @param {AbortSignal} signal */
	#listen(signal) {
		const { model } = this;
		/** @type {[string, (...args: any[]) => void][]} */
		const handlers = [
			["msg:custom", (message, buffers) => this.#hear(message, buffers)],
			["change:snapshot", () => this.#restore()],
			["change:snapshot_block", () => this.#restore()],
			["change:head", () => this.#restore()],
			["comm:close", () => this.#close()],
			["comm_live_update", () => this.#close()],
		];
		for (const [event, handler] of handlers) {
			/** @param {any[]} args */
			const guarded = (...args) => this.guard(() => handler(...args));
			model.on(event, guarded);
			signal.addEventListener("abort", () => model.off(event, guarded));
		}
		signal.addEventListener("abort", () => clearInterval(this.timer));
	}

	/**
	 * @param {Down | BesideMessage} message
	 * @param {DataView[]} buffers
	 */
	#hear(message, buffers) {
		this.closed = false;
		const buffer = buffers?.[0] ?? NOTHING;
		if (message.kind === "ack") this.commands.acknowledge(message);
		else if (message.kind === "beside")
			setBeside(this.store, message.block, buffer);
		else reduce(this.store, message, buffer, Date.now() / 1000);
		if (message.kind === "rows") this.backfill.answered(message);
		this.fill();
		this.#tell();
	}

	#restore() {
		const { model } = this;
		restore(this.store, {
			head: model.get("head"),
			seq: model.get("seq"),
			block: model.get("snapshot_block"),
			buffer: model.get("snapshot") ?? NOTHING,
		});
		this.fill();
		this.#tell();
	}

	#close() {
		this.closed = true;
		this.#tell();
	}

	#tell() {
		for (const listener of this.listeners) listener();
	}
}

/**
 * JupyterLab's and VS Code's managers hold the kernel; others may not.
 * @param {AnyModel<State>} model
 */
function kernelStatus(model) {
	const manager = /** @type {any} */ (model.widget_manager);
	return manager?.kernel?.status ?? "";
}
