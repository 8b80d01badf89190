import { Floats } from "../src/base/floats.js";
import { extract } from "../src/data/extract.js";
import { Rows } from "../src/data/rows.js";

/** @import { Held } from "../src/data/extracts.js" */
/** @import { Listener, Source } from "../src/link/source.js" */
/** @import { AskView, News, Up, Want } from "../src/protocol" */
/** @import { Head } from "../src/protocol" */

/** @typedef {{step: number, time: number, attempt: string, value: number}} Row */
/** @typedef {() => void} Message what happens when it arrives */

/**
 * A kernel of one metric of one track: rows come one by one, and what it says waits in
 * `sent` until somebody delivers it.
 * @implements {Source}
 */
export class TestKernel {
	/** @param {Head} head */
	constructor(head) {
		this.head = head;
		this.companion = "";
		this.waits = "waits for the kernel";
		this.gone = false;
		/** @type {Row[]} */
		this.logged = [];
		/** @type {Message[]} */
		this.sent = [];
		/** @type {AskView | null} */
		this.ask = null;
		/** @type {Map<string, {rows: number, held: Held}>} what was told of each want */
		this.told = new Map();
		this.seq = 0;
		this.newsSeq = 0;
		/** @type {Listener | null} */
		this.listener = null;
	}

	plotly() {
		return Promise.reject(new Error("there is no Plotly in a test"));
	}

	start() {
		return { head: this.head, extents: [], seq: 0, held: [] };
	}

	/** @param {Listener} listener */
	listen(listener) {
		this.listener = listener;
	}

	get rows() {
		/** @param {(row: Row) => number} of */
		const each = (of) => Float64Array.from(this.logged, of);
		const step = each((row) => row.step);
		const keys = { step, time: each((row) => row.time), epoch: step };
		const column = { at: null, values: each((row) => row.value) };
		const attempts = this.logged.map(({ attempt }) => attempt);
		return new Rows(keys, attempts, new Map([["loss", column]]));
	}

	/** @param {Up} ask */
	send(ask) {
		if (ask.kind === "ask_head") this.tell(true);
		if (ask.kind !== "ask_view" || ask.id === this.ask?.id) return;
		if (!ask.after || ask.after !== this.ask?.id) this.told.clear();
		this.ask = ask;
	}

	/** Says what is new. */
	tick() {
		this.tell(false);
		const { ask, rows } = this;
		if (!ask) return;
		const told = new Map();
		const news = ask.wants.flatMap((want) => {
			const name = JSON.stringify(want);
			const before = this.told.get(name);
			const held = extract(rows, want, "loss");
			told.set(name, { rows: this.logged.length, held });
			if (!before) return [held];
			return before.rows === this.logged.length
				? []
				: [more(before.held, held)];
		});
		const isNew = news.length > 0 || told.size !== this.told.size;
		this.told = told;
		if (!isNew) return;
		const { id, page } = ask;
		const view = { id, page, seq: ++this.seq, whole: true };
		this.sent.push(() => this.listener?.view(view, news.map(copy)));
	}

	/** @param {boolean} whole */
	tell(whole) {
		const { run, status, ...lists } = this.head;
		const extents = [this.rows.extent("")];
		/** @type {News["parts"]} */
		const parts = Object.entries({ ...lists, extents })
			.filter(
				([name]) =>
					name === "extents" ||
					(whole && name !== "silence" && name !== "alert_count"),
			)
			.map(([name, items]) => ({
				...{
					name: /** @type {News["parts"][number]["name"]} */ (name),
					start: 0,
				},
				...{
					length: /** @type {any[]} */ (items).length,
					items: /** @type {any[]} */ (items),
				},
			}));
		/** @type {News} */
		const news = {
			kind: "news",
			seq: ++this.newsSeq,
			status,
			alert_count: 0,
			parts,
		};
		if (whole || this.newsSeq === 1) news.run = run;
		this.sent.push(() => this.listener?.news(news));
	}
}

/**
 * What is new of an extract; all of it where pieces were taken back.
 * @param {Held} before
 * @param {Held} now
 */
function more(before, now) {
	const pieces = now.pieces.map((piece) => ({
		piece,
		old: before.pieces.find(({ row }) => row === piece.row),
	}));
	const same =
		before.header.level === now.header.level &&
		before.pieces.every((piece) =>
			now.pieces.some(
				({ row, kept, columns }) =>
					row === piece.row &&
					kept === piece.kept &&
					columns.at.length >= piece.columns.at.length,
			),
		);
	if (!same) return now;
	const held = copy(now);
	held.header.goes_on = true;
	held.pieces = pieces.flatMap(({ piece, old }) => {
		const known = old
			? old.columns.at.length - (now.header.level === null ? 0 : 1)
			: 0;
		const columns = Object.fromEntries(
			Object.entries(piece.columns).map(([name, floats]) => {
				return [name, new Floats(floats.view().slice(known))];
			}),
		);
		return columns.at.length ? [{ ...piece, columns }] : [];
	});
	return held;
}

/**
 * As it comes over the wire: nothing is shared.
 * @param {Held} held
 * @returns {Held}
 */
const copy = ({ header, pieces }) => ({
	header: { ...header },
	pieces: pieces.map((piece) => ({
		...piece,
		columns: Object.fromEntries(
			Object.entries(piece.columns).map(([name, floats]) => [
				name,
				new Floats(floats.view().slice()),
			]),
		),
	})),
});
