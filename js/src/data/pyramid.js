import { Floats } from "../base/floats.js";

/** Points in a block of the lowest level; each level doubles it. */
const BASE = 8;

/**
 * Where the lowest and the highest finite value of each full block stand; -1
 * when a block has none.
 * @typedef {{lows: Floats, highs: Floats}} Level
 */

/** Minimum and maximum of ever larger blocks of a growing series. */
export class Pyramid {
	constructor() {
		/** @type {Level[]} */
		this.levels = [];
	}

	/** @param {Floats} series whose new end is taken in */
	extend({ data, length }) {
		for (let depth = 0; BASE * 2 ** depth <= length; depth++) {
			this.levels[depth] ??= { lows: new Floats(), highs: new Floats() };
			const { lows, highs } = this.levels[depth];
			const blocks = Math.floor(length / (BASE * 2 ** depth));
			for (let block = lows.length; block < blocks; block++) {
				const [low, high] = depth
					? this.#pair(data, depth - 1, block)
					: scan(data, block * BASE, (block + 1) * BASE);
				lows.push(low);
				highs.push(high);
			}
		}
	}

	/**
	 * Indices of the lowest and the highest finite value; -1 when there is none.
	 * @param {Float64Array} data
	 * @param {number} from
	 * @param {number} to
	 * @returns {[number, number]}
	 */
	extremes(data, from, to) {
		let [low, high] = [-1, -1];
		for (let at = from; at < to; ) {
			const depth = this.#deepest(at, to);
			const size = BASE * 2 ** depth;
			const next = depth < 0 ? Math.min(to, blockEnd(at)) : at + size;
			const [a, b] =
				depth < 0
					? scan(data, at, next)
					: this.#read(depth, Math.floor(at / size));
			low = lower(data, low, a);
			high = higher(data, high, b);
			at = next;
		}
		return [low, high];
	}

	/**
	 * Indices that draw `from` to `to` in at most about `blocks` blocks: first,
	 * last, and of each block the lowest, the highest and, when it has neither,
	 * its first point. Blocks stay where they are while the series grows.
	 * @param {Float64Array} data
	 * @param {number} from
	 * @param {number} to
	 * @param {number} blocks
	 */
	envelope(data, from, to, blocks) {
		let size = BASE;
		while ((to - from) / size > blocks) size *= 2;
		const kept = [from];
		for (let at = from; at < to; ) {
			const next = Math.min(to, (Math.floor(at / size) + 1) * size);
			const [low, high] = this.extremes(data, at, next);
			kept.push(...(low < 0 ? [at] : low < high ? [low, high] : [high, low]));
			at = next;
		}
		kept.push(to - 1);
		return kept.filter((index, i) => i === 0 || index > kept[i - 1]);
	}

	/**
	 * @param {Float64Array} data
	 * @param {number} depth
	 * @param {number} block
	 * @returns {[number, number]}
	 */
	#pair(data, depth, block) {
		const [a, b] = this.#read(depth, 2 * block);
		const [c, d] = this.#read(depth, 2 * block + 1);
		return [lower(data, a, c), higher(data, b, d)];
	}

	/**
	 * @param {number} depth
	 * @param {number} block
	 * @returns {[number, number]}
	 */
	#read(depth, block) {
		const { lows, highs } = this.levels[depth];
		return [lows.data[block], highs.data[block]];
	}

	/**
	 * The largest block that starts at `at`, is full and ends by `to`; -1 if none.
	 * @param {number} at
	 * @param {number} to
	 */
	#deepest(at, to) {
		let depth = -1;
		for (let size = BASE; at % size === 0 && at + size <= to; size *= 2) {
			if (at / size >= (this.levels[depth + 1]?.lows.length ?? 0)) break;
			depth++;
		}
		return depth;
	}
}

/** @param {number} at */
const blockEnd = (at) => (Math.floor(at / BASE) + 1) * BASE;

/**
 * @param {Float64Array} data
 * @param {number} a
 * @param {number} b
 */
const lower = (data, a, b) => (a < 0 || (b >= 0 && data[b] < data[a]) ? b : a);

/**
 * @param {Float64Array} data
 * @param {number} a
 * @param {number} b
 */
const higher = (data, a, b) => (a < 0 || (b >= 0 && data[b] > data[a]) ? b : a);

/**
 * @param {Float64Array} data
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]}
 */
function scan(data, from, to) {
	let [low, high] = [-1, -1];
	for (let i = from; i < to; i++) {
		if (!Number.isFinite(data[i])) continue;
		low = lower(data, low, i);
		high = higher(data, high, i);
	}
	return [low, high];
}
