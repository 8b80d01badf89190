import { extract } from "../data/extract.js";
import { NO_ROWS, savedTracks } from "../data/rows.js";
import { summedExtract, summedRows } from "../data/summed.js";
import { unpackPlotly } from "./plotly.js";

/** @import { Held } from "../data/extracts.js" */
/** @import { Start } from "../data/store.js" */
/** @import { AskView, Key, Up, Want } from "../protocol" */
/** @import { Embedded } from "./embedded.js" */
/** @import { Listener, Source } from "./source.js" */

/** The page may handle input this often. */
const SLICE_MS = 40;

/**
 * A page that needs no kernel: it answers what it asks from what it holds.
 * @implements {Source}
 */
export class SavedSource {
	/**
	 * @param {Embedded} embedded
	 * @param {DataView<ArrayBuffer>} plotly packed
	 */
	constructor(embedded, plotly) {
		this.companion = "";
		this.waits = "is being read";
		this.gone = false;
		this.packed = plotly;
		/** @type {Listener | null} */
		this.listener = null;
		/** @type {AskView | null} */
		this.ask = null;
		/** Wants that are answered, as text. */
		this.told = new Set();
		this.seq = 0;
		/** @type {ReturnType<typeof setTimeout> | undefined} */
		this.timer = undefined;
		this.page = embedded.page;
		this.tracks = savedTracks(embedded.page.tracks, embedded.numbers);
	}

	plotly() {
		return unpackPlotly(this.packed);
	}

	/** @returns {Start} */
	start() {
		const listed = new Map(
			this.page.extents.map((extent) => [extent.track, extent]),
		);
		const extents = [...this.tracks].flatMap(([id, { rows }]) => {
			const extent = listed.get(id) ?? rows?.extent(id);
			// What is reduced is so by steps and by time only.
			return extent ? [rows ? extent : { ...extent, epoch: null }] : [];
		});
		return { head: this.page.head, extents, seq: 0, held: [] };
	}

	/** @param {Listener} listener */
	listen(listener) {
		this.listener = listener;
	}

	/** @param {Embedded} embedded what the page's file holds now */
	renew({ page, numbers }) {
		this.page = page;
		this.tracks = savedTracks(page.tracks, numbers);
		this.listener?.start(this.start());
		this.told.clear();
		this.#answer();
	}

	/** @param {Up} ask */
	send(ask) {
		if (ask.kind !== "ask_view" || ask.id === this.ask?.id) return;
		if (!ask.after || ask.after !== this.ask?.id) this.told.clear();
		this.ask = ask;
		this.#answer();
	}

	/** Tells what is wanted, one after the other, and lets the page draw in between. */
	#answer() {
		clearTimeout(this.timer);
		const { ask } = this;
		if (!ask) return;
		const asked = ask.wants.flatMap((want) =>
			want.metrics.map((metric) => ({
				want,
				metric,
				name: nameOf(want, metric),
			})),
		);
		const due = asked.filter(({ name }) => !this.told.has(name));
		this.told = new Set(
			asked.map(({ name }) => name).filter((name) => this.told.has(name)),
		);
		this.timer = setTimeout(() => {
			this.listener?.summaries(
				ask,
				ask.summaries.map((metric) => this.#summed(ask.track, metric)),
			);
			this.#tell(ask, due);
		});
	}

	/**
	 * @param {AskView} ask
	 * @param {{want: Want, metric: string, name: string}[]} due
	 */
	#tell(ask, due) {
		const until = performance.now() + SLICE_MS;
		/** @type {Held[]} */
		const extracts = [];
		while (due.length && performance.now() < until) {
			const [{ want, metric, name }] = due.splice(0, 1);
			this.told.add(name);
			extracts.push(this.#extract(want, metric));
		}
		this.seq++;
		const { id, page } = ask;
		this.listener?.view(
			{ id, page, seq: this.seq, whole: !due.length, ends: [] },
			extracts,
		);
		if (due.length) this.timer = setTimeout(() => this.#tell(ask, due));
	}

	/**
	 * @param {Want} want
	 * @param {string} metric
	 */
	#extract(want, metric) {
		const { rows } = this.tracks.get(want.track) ?? {};
		return (
			(rows ? null : this.#reduced(want.track, metric, want.key)) ??
			extract(rows ?? NO_ROWS, want, metric)
		);
	}

	/**
	 * @param {string} track
	 * @param {string} metric
	 */
	#summed(track, metric) {
		const { better } = this.page.head.metrics.find(
			({ name }) => name === metric,
		) ?? { better: "" };
		const { rows } = this.tracks.get(track) ?? {};
		const reduced = rows ? null : this.#reduced(track, metric, "step");
		return reduced
			? summedExtract(reduced, better)
			: summedRows(rows ?? NO_ROWS, metric, better);
	}

	/**
	 * @param {string} track
	 * @param {string} metric
	 * @param {Key} key
	 */
	#reduced(track, metric, key) {
		const { extracts } = this.tracks.get(track) ?? {};
		return (
			extracts?.find(
				({ header }) => header.metric === metric && header.key === key,
			) ?? null
		);
	}
}

/**
 * What tells wants of single metrics apart.
 * @param {Want} want
 * @param {string} metric
 */
const nameOf = ({ metrics: _, ...want }, metric) =>
	JSON.stringify([want, metric]);
