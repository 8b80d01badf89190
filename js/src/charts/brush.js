/** @typedef {[number, number]} Range */
/** @typedef {"new" | "from" | "to" | "pan"} Grip what of a window is moved */

/** A window is at least this share of what there is. */
const LEAST = 1 / 2000;

/**
 * What a pointer takes hold of.
 * @param {number} at
 * @param {Range | null} window
 * @param {number} near how far off an edge is still taken
 * @returns {Grip}
 */
export function gripOf(at, window, near) {
	if (!window) return "new";
	const [from, to] = window;
	if (Math.abs(at - from) <= near) return "from";
	if (Math.abs(at - to) <= near) return "to";
	return at > from && at < to ? "pan" : "new";
}

/**
 * The window once it was dragged, within what there is; null for all of that.
 * @param {Grip} grip
 * @param {Range | null} window
 * @param {number} start where it was taken
 * @param {number} at
 * @param {Range} all
 * @returns {Range | null}
 */
export function dragged(grip, window, start, at, all) {
	const [from, to] = window ?? all;
	if (grip === "pan") return moved([from, to], at - start, all);
	if (grip === "from") return within([at, to], all);
	if (grip === "to") return within([from, at], all);
	return within([start, at], all);
}

/**
 * @param {Range} window
 * @param {number} by
 * @param {Range} all
 * @returns {Range}
 */
function moved([from, to], by, [first, last]) {
	const kept = Math.min(Math.max(by, first - from), last - to);
	return [from + kept, to + kept];
}

/**
 * @param {Range} window its ends in any order
 * @param {Range} all
 * @returns {Range}
 */
function within(window, [first, last]) {
	const [low, high] = [...window].sort((a, b) => a - b);
	const least = (last - first) * LEAST;
	const from = Math.min(Math.max(low, first), last - least);
	return [from, Math.max(Math.min(high, last), from + least)];
}

/** How far a key moves a window, as a share of that. */
const STRIDE = 1 / 4;

/**
 * The window after a key, null for all; undefined for a key that means nothing here.
 * @param {string} key
 * @param {Range | null} window
 * @param {Range} all
 * @returns {Range | null | undefined}
 */
export function keyed(key, window, all) {
	const [from, to] = window ?? all;
	const by = (to - from) * STRIDE;
	const [first, last] = all;
	switch (key) {
		case "ArrowLeft":
		case "ArrowRight":
			return window && moved(window, key === "ArrowLeft" ? -by : by, all);
		case "ArrowUp":
		case "+":
			return within([from + by, to - by], all);
		case "ArrowDown":
		case "-":
			return from - 2 * by <= first && to + 2 * by >= last
				? null
				: within([from - 2 * by, to + 2 * by], all);
		case "Home":
			return window && moved(window, first - from, all);
		case "End":
			return window && moved(window, last - to, all);
		default:
			return undefined;
	}
}
