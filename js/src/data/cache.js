import { bytes } from "./extracts.js";
import { goOn } from "./go_on.js";

/** @import { Key, ViewEnd, Want } from "../protocol" */
/** @import { Held } from "./extracts.js" */

/**
 * What an extract is known to cover: keys from `from` on, before `to`. Of buckets it
 * has whole ones, but for the newest.
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
 *   want: Want | null, since: number, held: Held | null,
 *   older: Cover[], version: number,
 * }} Series
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
		/** The number of the newest ask, and of that all of which has come. */
		this.asked = 0;
		this.answered = 0;
	}

	/**
	 * From the ask of this number on, this is wanted.
	 * @param {Want[]} wants
	 * @param {number} ask
	 * @param {boolean} anew whether everything is sent again
	 */
	look(wants, ask, anew) {
		this.asked = ask;
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
			// What only goes on also comes by the number of the ask before.
			if (anew || !goesOn(series.want, want)) {
				putAside(series);
				series.since = ask;
			}
			series.want = want;
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
		if (isWanted) series.held = held;
		else keep(series, closed(held));
		this.#shrink();
	}

	/**
	 * All that was asked by then of a track by a key has come up to here.
	 * @param {ViewEnd} end
	 * @param {number} ask
	 */
	reach({ track, key, end }, ask) {
		for (const { want, held, since } of this.series.values()) {
			if (!held || ask < since) continue;
			if (want?.track !== track || want.key !== key) continue;
			held.header.end = Math.max(held.header.end, end);
		}
	}

	/**
	 * All that was asked has come.
	 * @param {number} ask
	 */
	complete(ask) {
		this.answered = Math.max(this.answered, ask);
	}

	/** Messages are lost: nothing goes on. */
	tear() {
		this.answered = 0;
		for (const series of this.series.values()) putAside(series);
	}

	/**
	 * A track was read anew: what is here of it may not be true any more.
	 * @param {string} track
	 */
	forget(track) {
		this.answered = 0;
		for (const series of this.series.values()) {
			const covers = covering(series);
			if (covers.every(({ held }) => held.header.track !== track)) continue;
			Object.assign(series, { held: null, older: [] });
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
		return this.answered >= this.asked;
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
			...{ want: null, since: 0, held: null, older: [], version: 0 },
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
 * Whether what comes of a want continues what has come of the one before: of all there
 * is also in larger buckets.
 * @param {Want | null} before
 * @param {Want | null} now
 */
const goesOn = (before, now) =>
	before === now ||
	(before !== null &&
		now !== null &&
		before.begin === now.begin &&
		before.end === now.end &&
		before.points === now.points &&
		before.weight === now.weight &&
		(before.level === now.level ||
			(before.begin === null &&
				before.end === null &&
				before.level < now.level)));

/**
 * What has come of the last ask is what an earlier one has left.
 * @param {Series} series
 */
function putAside(series) {
	const cover = current(series);
	series.held = null;
	if (!cover) return;
	keep(series, cover);
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
const closed = (held) => covered(held, held.header.begin, null);

/**
 * What has come of what is wanted.
 * @param {Series} series
 * @returns {Cover | null}
 */
const current = ({ want, held }) =>
	want && held && covered(held, want.begin, want.end);

/**
 * @param {Held} held
 * @param {number | null} begin that was asked
 * @param {number | null} end
 * @returns {Cover}
 */
function covered(held, begin, end) {
	const { level, end: told } = held.header;
	const size = sizeOf(held);
	const known = after(told);
	const asked =
		end === null
			? Infinity
			: level === null
				? after(end)
				: bucketOf(end, size) + size;
	return {
		held,
		from: begin === null ? -Infinity : bucketOf(begin, size),
		to: Math.min(known, asked),
	};
}

/**
 * Of a bucket, in keys; 0 where the values are there one by one.
 * @param {Held} held
 */
const sizeOf = ({ header: { level } }) => (level === null ? 0 : 2 ** level);

/**
 * Where the bucket of a key begins.
 * @param {number} key
 * @param {number} size
 */
const bucketOf = (key, size) => (size ? Math.floor(key / size) * size : key);

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
	const stop = after(end);
	const covers = series ? covering(series) : [];
	const pieces = aligned(allotted(covers, [begin, stop]));
	const ends = [begin, ...pieces.flatMap(({ from, to }) => [from, to]), stop];
	const missing = Array.from(
		{ length: ends.length / 2 },
		(_, i) => /** @type {Stretch} */ ([ends[2 * i], ends[2 * i + 1]]),
	);
	return {
		parts: pieces.map(({ cover: { held }, from, to }) => ({
			...{ held, from, to },
			...{ outerFrom: from === begin, outerTo: to === stop },
		})),
		missing: missing.filter(([a, b]) => a < b),
	};
}

/** What is drawn of a cover. @typedef {{cover: Cover, from: number, to: number}} Allotted */

/**
 * Each key goes to the first cover that knows it.
 * @param {Cover[]} covers the best first
 * @param {Stretch} stretch
 * @returns {Allotted[]} in the order of keys
 */
function allotted(covers, stretch) {
	let missing = [stretch];
	/** @type {Allotted[]} */
	const pieces = [];
	for (const cover of covers) {
		missing = missing.flatMap(([a, b]) => {
			const [from, to] = [Math.max(a, cover.from), Math.min(b, cover.to)];
			if (from >= to) return [[a, b]];
			pieces.push({ cover, from, to });
			/** @type {Stretch[]} */
			const left = [
				[a, from],
				[to, b],
			];
			return left.filter(([x, y]) => x < y);
		});
	}
	return pieces.sort((a, b) => a.from - b.from);
}

/**
 * Borders between two covers stand where a bucket of the coarser one ends, so that no
 * value is drawn twice.
 * @param {Allotted[]} pieces
 */
function aligned(pieces) {
	/** @type {Allotted[]} */
	const done = [];
	for (const piece of pieces) {
		let right = beyond(done.at(-1), piece);
		for (let left = done.at(-1); left?.to === right.from; left = done.at(-1)) {
			const [to, from] = border(left, right);
			if (to > left.from) {
				left.to = Math.min(to, right.to);
				right = { ...right, from };
				break;
			}
			done.pop();
			right = { ...right, from: Math.max(from, left.from) };
		}
		if (right.from < right.to) done.push(right);
	}
	return done;
}

/**
 * The right one without what the left one's last bucket may hold, up to the end of which
 * the left one is not known to be complete.
 * @param {Allotted | undefined} left
 * @param {Allotted} right
 * @returns {Allotted}
 */
function beyond(left, right) {
	const size = left && sizeOf(left.cover.held);
	if (!size || left.to >= right.from) return right;
	const end = Math.ceil(left.to / size) * size;
	return { ...right, from: Math.max(right.from, end) };
}

/**
 * Where what is drawn of the left one ends, and of the right one begins.
 * @param {Allotted} left
 * @param {Allotted} right
 * @returns {[number, number]}
 */
function border(left, right) {
	if (left.cover === right.cover) return [right.to, right.to];
	const [before, after] = [left, right].map(({ cover }) => sizeOf(cover.held));
	const size = Math.max(before, after);
	const begin = bucketOf(right.from, size);
	const end = begin + size;
	if (begin === right.from || after === size) return [begin, begin];
	if (end <= left.cover.to) return [end, end];
	// The newest bucket of an extract has not all that others know.
	return [begin, Math.max(begin, right.cover.from)];
}

/**
 * Whether it is known that there is no value at all.
 * @param {Series | null} series
 */
export const isEmpty = (series) =>
	series?.want?.begin === null &&
	series.want.end === null &&
	series.held?.pieces.length === 0;
