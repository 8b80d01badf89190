import { bytes, goOn } from "./extracts.js";

/** @import { Key, Want } from "../protocol" */
/** @import { Held } from "./extracts.js" */

/**
 * What an extract is known to cover: keys from `from` on, before `to`.
 * @typedef {{held: Held, from: number, to: number}} Cover
 *
 * What is drawn from an extract. At an end that is `outer` the point beyond it is seen
 * as well, so that lines run to the edge.
 * @typedef {Cover & {outerFrom: boolean, outerTo: boolean}} Part
 *
 * A stretch of keys. @typedef {[number, number]} Stretch
 *
 * A metric of a track by one key: what was asked last, and since which ask; what has
 * come of that, and what is left of earlier ones. `version` changes with all of it.
 * @typedef {{
 *   want: Want | null, since: number, held: Held | null, open: boolean,
 *   older: Cover[], version: number,
 * }} Series `open`: nothing is missing up to the newest value
 */

/** Of what was looked at before so much is kept of a metric. */
const OLDER = 4;

/** Extracts of what the reader sees and has seen, within a budget. */
export class Cache {
	/** @param {number} [budget] bytes */
	constructor(budget = 64e6) {
		this.budget = budget;
		/** @type {Map<string, Series>} those that were not used for longest first */
		this.series = new Map();
	}

	/**
	 * From the ask of this number on, this is wanted.
	 * @param {Want[]} wants
	 * @param {number} ask
	 * @param {boolean} anew whether everything is sent again
	 */
	look(wants, ask, anew) {
		const asked = new Map(
			wants.flatMap((want) =>
				want.metrics.map((metric) => [
					nameOf(want.track, metric, want.key),
					want,
				]),
			),
		);
		for (const [name, series] of this.series) {
			const want = asked.get(name) ?? null;
			if (!anew && isSame(series.want, want)) continue;
			putAside(series);
			Object.assign(series, { want, since: ask });
		}
		for (const [name, want] of asked) {
			const series = this.#use(name);
			if (!series.want) Object.assign(series, { want, since: ask });
		}
		this.#shrink();
	}

	/**
	 * Takes in what answers the ask of this number.
	 * @param {Held} held
	 * @param {number} ask
	 */
	take(held, ask) {
		const { track, metric, key, goes_on } = held.header;
		const series = this.#use(nameOf(track, metric, key));
		const isWanted = series.want !== null && ask >= series.since;
		if (goes_on && !(isWanted && series.held)) return;
		series.version++;
		if (goes_on && series.held) return goOn(series.held, held);
		series.older = series.older.filter((cover) => agrees(cover.held, held));
		if (!isWanted) keep(series, closed(held));
		else {
			series.held = held;
			series.open = false;
		}
		this.#shrink();
	}

	/** All that is wanted has come. */
	complete() {
		for (const series of this.series.values()) {
			if (!series.held || series.open) continue;
			series.open = true;
			series.version++;
		}
	}

	/** Messages are lost: nothing goes on. */
	tear() {
		for (const series of this.series.values()) putAside(series);
	}

	/**
	 * A track was read anew: what is here of it may not be true any more.
	 * @param {string} track
	 */
	forget(track) {
		for (const series of this.series.values()) {
			const covers = covering(series);
			if (covers.every(({ held }) => held.header.track !== track)) continue;
			Object.assign(series, { held: null, open: false, older: [] });
			series.version++;
		}
	}

	/**
	 * @param {string} track
	 * @param {string} metric
	 * @param {Key} key
	 */
	find(track, metric, key) {
		return this.series.get(nameOf(track, metric, key)) ?? null;
	}

	/** Whether all that is wanted is here. */
	get isWhole() {
		return [...this.series.values()].every(({ want, open }) => !want || open);
	}

	get bytes() {
		let sum = 0;
		for (const series of this.series.values()) {
			for (const { held } of covering(series)) sum += bytes(held);
		}
		return sum;
	}

	/** @param {string} name */
	#use(name) {
		const series = this.series.get(name) ?? {
			...{ want: null, since: 0, held: null, open: false },
			...{ older: [], version: 0 },
		};
		this.series.delete(name);
		this.series.set(name, series);
		return series;
	}

	/** Lets go of what nobody has looked at for longest, until the rest fits. */
	#shrink() {
		let left = this.bytes - this.budget;
		for (const [name, series] of this.series) {
			if (left <= 0) return;
			while (left > 0 && series.older.length) {
				const [cover] = series.older.splice(0, 1);
				left -= bytes(cover.held);
				series.version++;
			}
			if (!series.want && !series.older.length) this.series.delete(name);
		}
	}
}

/**
 * @param {string} track
 * @param {string} metric
 * @param {Key} key
 */
const nameOf = (track, metric, key) =>
	`${key} ${track.length} ${track} ${metric}`;

/**
 * @param {Want | null} a
 * @param {Want | null} b
 */
const isSame = (a, b) =>
	a === b ||
	(a !== null &&
		b !== null &&
		a.begin === b.begin &&
		a.end === b.end &&
		a.level === b.level &&
		a.points === b.points &&
		a.weight === b.weight);

/**
 * What has come of the last ask is what an earlier one has left.
 * @param {Series} series
 */
function putAside(series) {
	const cover = current(series);
	Object.assign(series, { held: null, open: false });
	if (!cover) return;
	// What is new since then is not known.
	const end = after(cover.held.header.end);
	keep(series, { ...cover, to: Math.min(cover.to, end) });
	series.version++;
}

/**
 * @param {Series} series
 * @param {Cover} cover
 */
function keep(series, cover) {
	const { level, weight } = cover.held.header;
	const others = series.older.filter(
		(other) =>
			other.from < cover.from ||
			other.to > cover.to ||
			fineness(other) < (level ?? -Infinity) ||
			(other.held.header.weight && other.held.header.weight !== weight),
	);
	series.older = [...others, cover].slice(-OLDER);
}

/** @param {Cover} cover */
const fineness = ({ held }) => held.header.level ?? -Infinity;

/** @param {Held} held @returns {Cover} */
const closed = (held) => ({
	held,
	from: held.header.begin,
	to: after(held.header.end),
});

/**
 * What has come of what is wanted.
 * @param {Series} series
 * @returns {Cover | null}
 */
function current({ want, held, open }) {
	if (!want || !held) return null;
	const { header } = held;
	return {
		held,
		from: want.begin ?? -Infinity,
		to: open ? after(want.end ?? Infinity) : after(header.end),
	};
}

/**
 * What there is, the best first: what was asked, then the finest.
 * @param {Series} series
 */
function covering(series) {
	const older = [...series.older].reverse();
	older.sort((a, b) => fineness(a) - fineness(b) || 0);
	const cover = current(series);
	return cover ? [cover, ...older] : older;
}

/**
 * Whether an extract knows of all that was trained again.
 * @param {Held} older
 * @param {Held} newer
 */
function agrees(older, newer) {
	const lost = new Set(older.pieces.flatMap((p) => (p.kept ? [] : [p.row])));
	return newer.pieces.every(({ kept, row }) => kept || lost.has(row));
}

/**
 * The least number above another, so that what ends at a key holds it.
 * @param {number} key
 */
export const after = (key) =>
	key + Math.max(Math.abs(key) * Number.EPSILON, Number.MIN_VALUE);

/**
 * The best there is for a stretch of keys, in their order, and what is missing.
 * @param {Series | null} series
 * @param {Stretch} stretch both ends are in it
 * @returns {{parts: Part[], missing: Stretch[]}}
 */
export function cover(series, [begin, end]) {
	/** @type {Stretch[]} */
	let missing = [[begin, after(end)]];
	/** @type {Part[]} */
	const parts = [];
	for (const { held, from, to } of series ? covering(series) : []) {
		missing = missing.flatMap(([a, b]) => {
			const [low, high] = [Math.max(a, from), Math.min(b, to)];
			if (low >= high) return [[a, b]];
			const outerFrom = low === begin;
			const outerTo = high === after(end);
			parts.push({ held, from: low, to: high, outerFrom, outerTo });
			/** @type {Stretch[]} */
			const left = [
				[a, low],
				[high, b],
			];
			return left.filter(([x, y]) => x < y);
		});
	}
	parts.sort((a, b) => a.from - b.from);
	return { parts, missing };
}

/**
 * Whether it is known that there is no value at all.
 * @param {Series | null} series
 */
export const isEmpty = (series) =>
	series?.want?.begin === null &&
	series.want.end === null &&
	series.open &&
	series.held?.pieces.length === 0;
