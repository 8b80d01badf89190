import { cut } from "./frames.js";
import { Segment } from "./segment.js";
import { thin } from "./thin.js";

/** @import { Chunk } from "./frames.js" */
/** @typedef {[number, number]} Range */

/** A segment of fewer rows is not worth thinning. */
const SMALL = 1024;

/** All rows the page knows: segments in row order that do not overlap. */
export class History {
	/** @param {number} budget bytes of data */
	constructor(budget = 64e6) {
		this.budget = budget;
		/** @type {Segment[]} */
		this.segments = [];
		/** The first row: below 0 where earlier attempts are known. */
		this.first = 0;
		/** Rows before it were thinned to stay in the budget. */
		this.floor = -Infinity;
	}

	get stop() {
		return this.segments.at(-1)?.stop ?? 0;
	}

	get bytes() {
		return this.segments.reduce((sum, { bytes }) => sum + bytes, 0);
	}

	/** @param {Chunk} chunk any rows, again or for the first time, in any order */
	add(chunk) {
		this.first = Math.min(this.first, chunk.start);
		const fixed = this.segments.filter((s) => chunk.reduced || !s.reduced);
		const fresh = without([chunk.start, chunk.stop], fixed);
		for (const [start, stop] of fresh) {
			this.#carve(start, stop);
			const whole = start === chunk.start && stop === chunk.stop;
			this.#place(whole ? chunk : cut(chunk, start, stop));
		}
		while (this.bytes > this.budget && this.#shrink());
	}

	/** @param {Chunk} chunk of other tracks before row 0, which comes whole each time */
	setBeside(chunk) {
		this.#carve(-Infinity, 0);
		this.#place(chunk);
	}

	/**
	 * Ranges from `floor` to `stop` that are not known exactly.
	 * @returns {Range[]}
	 */
	missing(stop = this.stop) {
		const exact = this.segments.filter((segment) => !segment.reduced);
		const start = Math.max(this.floor, this.first);
		return without([start, Math.max(stop, start)], exact);
	}

	/**
	 * Takes reduced rows out, to make room for exact ones.
	 * @param {number} start
	 * @param {number} stop
	 */
	#carve(start, stop) {
		this.segments = this.segments.flatMap((segment) => {
			if (segment.stop <= start || segment.start >= stop) return [segment];
			const outside = without([segment.start, segment.stop], [{ start, stop }]);
			return outside.map(([a, b]) => new Segment(cut(segment.chunk(), a, b)));
		});
	}

	/** @param {Chunk} chunk that overlaps nothing */
	#place(chunk) {
		let at = this.segments.findIndex(({ start }) => start >= chunk.stop);
		if (at < 0) at = this.segments.length;
		const before = this.segments[at - 1];
		if (!joins(before, chunk)) this.segments.splice(at, 0, new Segment(chunk));
		else {
			before.append(chunk);
			at--;
		}
		const after = this.segments[at + 1];
		if (!joins(this.segments[at], after)) return;
		this.segments[at].append(after.chunk());
		this.segments.splice(at + 1, 1);
	}

	/** Thins the older half of the largest segment; false if that gains nothing. */
	#shrink() {
		const largest = this.segments.reduce((a, b) => (b.bytes > a.bytes ? b : a));
		const rows = largest.rows.view();
		if (rows.length < SMALL) return false;
		const middle = rows[rows.length >> 1];
		const older = thin(cut(largest.chunk(), largest.start, middle));
		const newer = cut(largest.chunk(), middle, largest.stop);
		const before = this.bytes;
		this.segments.splice(this.segments.indexOf(largest), 1, new Segment(newer));
		this.floor = Math.max(this.floor, older.stop);
		this.#place(older);
		return this.bytes < before;
	}
}

/**
 * @param {{stop: number, reduced: boolean} | undefined} a
 * @param {{start: number, reduced: boolean} | undefined} b
 */
const joins = (a, b) =>
	a !== undefined &&
	b !== undefined &&
	a.stop === b.start &&
	a.reduced === b.reduced;

/**
 * What of `range` none of `covered`, in order, covers.
 * @param {Range} range
 * @param {{start: number, stop: number}[]} covered
 */
export function without([start, stop], covered) {
	/** @type {Range[]} */
	const left = [];
	for (const { start: a, stop: b } of covered) {
		if (b <= start) continue;
		if (a >= stop) break;
		if (a > start) left.push([start, a]);
		start = b;
	}
	if (start < stop) left.push([start, stop]);
	return left;
}
