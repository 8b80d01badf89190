import { levelOf } from "../data/wants.js";

/** @import { Want } from "../protocol" */
/** @import { DrawnTrack } from "./drawn_tracks.js" */

/** Up to so many points of a chart are drawn as they are, and of each of its curves. */
const EXACT = 2000;
const LEAST_EXACT = 400;
/** What a kernel may be asked. */
const MOST_POINTS = 2500;

/**
 * What is in view of a chart: the range that the reader has chosen, the weight of
 * smoothing, and the width of the plot in pixels.
 * @typedef {{range: [number, number] | null, weight: number, pixels: number}} Sight
 */

/**
 * What a chart of `curves` curves shows of a track.
 * @param {DrawnTrack} drawnTrack
 * @param {string[]} metrics
 * @param {Sight} sight
 * @param {number} curves
 * @returns {Want}
 */
export function wantOf({ track, axis, extent }, metrics, sight, curves) {
	const { range, weight, pixels } = sight;
	const [begin, end] = range ? range.map(axis.back) : [null, null];
	const [low, high] = extent[axis.key] ?? [0, 0];
	const span = (end ?? high) - (begin ?? low);
	// Where each point has a pixel of its own, there is nothing to gain.
	const exact = Math.max(LEAST_EXACT, EXACT / curves, pixels);
	return {
		...{ track: track.id, metrics, key: axis.key, begin, end, weight },
		level: levelOf(span, Math.max(pixels, 1), axis.key !== "time"),
		points: Math.floor(Math.min(exact, MOST_POINTS)),
	};
}
