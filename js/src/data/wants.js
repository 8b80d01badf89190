/** @import { Want } from "../protocol" */

/** A level's number may be so large. */
const LEVELS = 64;

/**
 * The level at which a bucket is one to two pixels wide.
 * @param {number} span keys in view
 * @param {number} pixels that they have
 * @param {boolean} whole whether keys are whole numbers
 */
export function levelOf(span, pixels, whole) {
	const least = whole ? 0 : -LEVELS;
	if (!(span > 0)) return least;
	const level = Math.floor(Math.log2(span / pixels)) + 1;
	return Math.min(Math.max(level, least), LEVELS);
}

/**
 * Wants of single metrics, as few as say the same; the order stays.
 * @param {Want[]} wants
 */
export function grouped(wants) {
	/** @type {Map<string, Want>} */
	const groups = new Map();
	/** @type {Set<string>} */
	const asked = new Set();
	for (const { metrics, ...want } of wants) {
		const name = JSON.stringify(want);
		const group = groups.get(name) ?? { ...want, metrics: [] };
		groups.set(name, group);
		const fresh = metrics.filter((metric) => {
			const once = JSON.stringify([want.track, want.key, metric]);
			return asked.size < asked.add(once).size;
		});
		group.metrics.push(...fresh);
	}
	return [...groups.values()].filter(({ metrics }) => metrics.length);
}
