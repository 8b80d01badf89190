import { Floats } from "../src/base/floats.js";
import { extract } from "../src/data/extract.js";
import { Rows } from "../src/data/rows.js";

/** @import { Held } from "../src/data/extracts.js" */
/** @import { Listener, Source } from "../src/link/source.js" */
/** @import { AskView, News, Up, Want } from "../src/protocol" */
/** @import { Head } from "../src/protocol" */

/**
 * @typedef {{
 *   step: number, time: number, epoch: number, attempt: string, value: number,
 * }} Row
 */
/** @typedef {{want: Want, rows: number, held: Held}} Told */
/** @typedef {() => void} Message what happens when it arrives */

/**
 * A kernel of one metric of some tracks: rows come one by one, and what it says waits in
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
		/** @type {Map<string, Row[]>} of each track */
		this.logged = new Map(head.tracks.map(({ id }) => [id, []]));
		/** @type {Message[]} */
		this.sent = [];
		/** @type {AskView | null} */
		this.ask = null;
		/** @type {Map<string, Told>} what was told of each want */
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

	/** @param {string} id of a track */
	rowsOf(id) {
		const logged = this.logged.get(id) ?? [];
		/** @param {(row: Row) => number} of */
		const each = (of) => Float64Array.from(logged, of);
		const keys = {
			step: each((row) => row.step),
			time: each((row) => row.time),
			epoch: each((row) => row.epoch),
		};
		const column = { at: null, values: each((row) => row.value) };
		const attempts = logged.map(({ attempt }) => attempt);
		return new Rows(keys, attempts, new Map([["loss", column]]));
	}

	/** @param {Up} ask */
	send(ask) {
		if (ask.kind === "ask_head") this.tell(true);
		if (ask.kind !== "ask_view" || ask.id === this.ask?.id) return;
		if (!ask.after || ask.after !== this.ask?.id) this.told.clear();
		if (ask.page !== this.ask?.page) this.seq = 0;
		this.ask = ask;
	}

	/**
	 * Says what is new.
	 * @param {boolean} [all] of all wants, not of the first alone
	 */
	tick(all = true) {
		this.tell(false);
		const { ask } = this;
		if (!ask) return;
		/** @type {Map<string, Told>} */
		const told = new Map();
		const news = ask.wants.flatMap((want, i) => {
			const name = JSON.stringify([want.track, want.key]);
			const before = this.told.get(name);
			if (i && !all) {
				if (before) told.set(name, before);
				return [];
			}
			const held = extract(this.rowsOf(want.track), want, "loss");
			const rows = this.logged.get(want.track)?.length ?? 0;
			told.set(name, { want, rows, held });
			return before ? since(before, want, held, rows) : [held];
		});
		const isWhole = told.size === ask.wants.length;
		this.told = told;
		const { id, page } = ask;
		const ends = all ? this.#ends(ask) : [];
		const view = { id, page, seq: ++this.seq, whole: isWhole, ends };
		this.sent.push(() => this.listener?.view(view, news.map(copy)));
	}

	/** @param {AskView} ask */
	#ends({ wants }) {
		return wants.flatMap(({ track, key }) => {
			const span = this.rowsOf(track).extent(track)[key];
			return span ? [{ track, key, end: span[1] }] : [];
		});
	}

	/** @param {boolean} whole */
	tell(whole) {
		const { run, status, ...lists } = this.head;
		const extents = [...this.logged.keys()].map((id) =>
			this.rowsOf(id).extent(id),
		);
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
 * What is new of what is wanted; all of it where that is another stretch.
 * @param {Told} before
 * @param {Want} want
 * @param {Held} held all of it
 * @param {number} rows
 */
function since(before, want, held, rows) {
	const { level, ...other } = want;
	const { level: old, ...same } = before.want;
	const goesOn =
		JSON.stringify(other) === JSON.stringify(same) &&
		(level === old || (want.begin === null && level > old));
	if (!goesOn) return [held];
	return level === old && rows === before.rows ? [] : [more(before.held, held)];
}

/**
 * What is new of an extract; all of it where pieces were taken back.
 * @param {Held} before
 * @param {Held} now
 */
function more(before, now) {
	const levels = (now.header.level ?? 0) - (before.header.level ?? 0);
	const isExact = now.header.level === null;
	/** @param {Held["pieces"][number]} piece */
	const from = ({ row, columns: { at } }) => {
		const old = before.pieces.find((piece) => piece.row === row)?.columns.at;
		if (!old) return 0;
		return isExact
			? old.length
			: at.view().findIndex((b) => b >= newest(old, levels));
	};
	const same =
		isExact === (before.header.level === null) &&
		levels >= 0 &&
		before.pieces.every((piece) =>
			now.pieces.some(
				({ row, kept, columns }) =>
					row === piece.row &&
					kept === piece.kept &&
					(isExact
						? columns.at.length >= piece.columns.at.length
						: newest(columns.at, 0) >= newest(piece.columns.at, levels)),
			),
		);
	if (!same) return now;
	const held = copy(now);
	held.header.goes_on = true;
	held.pieces = now.pieces.flatMap((piece) => {
		const columns = Object.fromEntries(
			Object.entries(piece.columns).map(([name, floats]) => {
				return [name, new Floats(floats.view().slice(from(piece)))];
			}),
		);
		return columns.at.length ? [{ ...piece, columns }] : [];
	});
	return held;
}

/**
 * The number of the newest bucket at a higher level.
 * @param {Floats} at
 * @param {number} levels
 */
const newest = ({ data, length }, levels) =>
	Math.floor(data[length - 1] / 2 ** levels);

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
