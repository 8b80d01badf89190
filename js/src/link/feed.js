import {
	createStore,
	lags,
	restore,
	takeNews,
	takeView,
} from "../data/store.js";
import { Commands } from "./commands.js";
import { Looking } from "./looking.js";

/** @import { AskLogInterval, AskSave, AskStop, AskView } from "../protocol" */
/** @import { Looked } from "./looking.js" */
/** @import { Listener, Source } from "./source.js" */

/** @typedef {Told<AskStop> | Told<AskSave> | Told<AskLogInterval>} Order */
/** @template T @typedef {Omit<T, "id">} Told */

/** A page that says nothing for a minute gets nothing more. */
const RENEW_MS = 10_000;

/** What a page holds of one source, from before its first view on, and what it asks. */
export class Feed {
	/**
	 * @param {Source} source
	 * @param {AbortSignal} signal
	 */
	constructor(source, signal) {
		const start = source.start();
		this.source = source;
		this.store = createStore(start.head);
		this.page = Math.random().toString(36).slice(2);
		this.commands = new Commands(this.page);
		this.looking = new Looking((looked, after) => this.#ask(looked, after));
		/** @type {AskView | null} */
		this.asked = null;
		this.error = "";
		/** @type {Map<string, number>} what there was when it was last looked */
		this.newest = new Map();
		/** @type {Set<() => void>} */
		this.listeners = new Set();
		/** @type {ReturnType<typeof setInterval> | undefined} runs with a view */
		this.timer = undefined;
		this.guard(() => restore(this.store, start));
		source.listen(this.#listener(), signal);
		signal.addEventListener("abort", () => this.#rest());
	}

	get gone() {
		return this.source.gone;
	}

	/** Whether all that is looked at is here. */
	get isWhole() {
		return !this.looking.timer && this.store.cache.isWhole;
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

	/** @param {Order} order what is asked of the training, and answered */
	command(order) {
		const { begun_s } = this.store.head.status;
		const id = this.commands.expect(order.kind, begun_s);
		this.source.send({ ...order, id });
		this.#tell();
	}

	/** @param {string[]} shown ids of the tracks whose values are wanted */
	askTracks(shown) {
		const id = this.commands.id();
		this.source.send({ kind: "ask_tracks", id, shown });
	}

	/** @param {Looked} looked what is on the page now */
	look(looked) {
		if (this.listeners.size) this.looking.look(looked);
	}

	/**
	 * Calls back at news until `signal`; nothing is asked while nobody looks.
	 * @param {() => void} listener
	 * @param {AbortSignal} signal
	 */
	watch(listener, signal) {
		this.listeners.add(listener);
		this.timer ??= setInterval(() => this.guard(() => this.#check()), RENEW_MS);
		signal.addEventListener("abort", () => {
			this.listeners.delete(listener);
			if (!this.listeners.size) this.#rest();
		});
	}

	#rest() {
		clearInterval(this.timer);
		this.timer = undefined;
		this.looking.rest();
	}

	/**
	 * @param {Looked} looked
	 * @param {string} after
	 */
	#ask(looked, after) {
		const id = this.commands.id();
		this.asked = { kind: "ask_view", id, after, page: this.page, ...looked };
		this.store.cache.look(looked.wants, this.commands.count, !after);
		this.guard(() => this.#renew());
		return id;
	}

	#check() {
		const { store, asked, newest } = this;
		if (asked && lags(store, newest, asked.wants)) this.looking.again();
		this.newest = new Map(store.newest);
		this.#renew();
	}

	/** Says what is looked at, also where that is the same as before. */
	#renew() {
		if (this.gone) return;
		if (this.asked) this.source.send(this.asked);
		if (this.store.torn) this.#askHead();
	}

	#askHead() {
		this.source.send({ kind: "ask_head", id: this.commands.id() });
	}

	/** @returns {Listener} */
	#listener() {
		const { store } = this;
		/** @type {Listener} */
		const to = {
			start: (start) => restore(store, start),
			news: (news) => {
				const wasTorn = store.torn;
				takeNews(store, news, Date.now() / 1000);
				if (store.torn && !wasTorn) this.#askHead();
			},
			view: (view, extracts) => {
				if (view.page !== this.page) return;
				if (!takeView(store, view, extracts, this.commands.number(view.id)))
					this.looking.again();
			},
			summaries: ({ id, page }, summed) => {
				if (page !== this.page || id !== this.asked?.id) return;
				const { summaries } = this.asked;
				store.summaries = new Map(
					summaries.map((metric, i) => [metric, summed[i]]),
				);
			},
			ack: (ack) => this.commands.acknowledge(ack),
			closed: () => {},
		};
		return /** @type {Listener} */ (
			Object.fromEntries(
				Object.entries(to).map(([name, take]) => [
					name,
					(/** @type {any[]} */ ...args) => {
						this.guard(() => /** @type {any} */ (take)(...args));
						this.#tell();
					},
				]),
			)
		);
	}

	#tell() {
		for (const listener of this.listeners) listener();
	}
}
