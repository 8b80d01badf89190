import { cover, isEmpty } from "../data/cache.js";
import { curveOf } from "./curve.js";
import { wantOf } from "./sight.js";

/** @import { Cache } from "../data/cache.js" */
/** @import { Want } from "../protocol" */
/** @import { Curve } from "./curve.js" */
/** @import { DrawnTrack } from "./drawn_tracks.js" */
/** @import { Sight } from "./sight.js" */

/** More lines in a chart than these cannot be told apart, nor drawn in time. */
export const MOST = 32;

/**
 * A metric of a track: as it counts now, and what was trained again.
 * @typedef {{
 *   metric: string, drawnTrack: DrawnTrack, curve: Curve, earlier: Curve | null,
 * }} TrackCurve
 */

/**
 * The tracks of which a chart of a metric looks: those drawn, up to `MOST`, and those
 * that are known not to have it, of which nothing is to be seen.
 * @param {Cache} cache
 * @param {string} metric
 * @param {DrawnTrack[]} tracks
 */
export function lookedAt(cache, metric, tracks) {
	const having = tracks.filter(
		(drawnTrack) => !lacks(cache, metric, drawnTrack),
	);
	const drawn = having.slice(0, MOST);
	const asked = tracks.filter(
		(track) => drawn.includes(track) || !having.includes(track),
	);
	return { having, drawn, asked };
}

/**
 * @param {Cache} cache
 * @param {string} metric
 * @param {DrawnTrack} drawnTrack
 */
export const lacks = (cache, metric, { track, axis }) =>
	isEmpty(cache.find(track.id, metric, axis.key));

/**
 * What there is of a metric of a track, of all that a chart wants.
 * @param {Cache} cache
 * @param {string} metric
 * @param {DrawnTrack} drawnTrack
 * @param {Sight} sight
 * @param {number} curves that are in the chart
 * @returns {TrackCurve}
 */
export function trackCurve(cache, metric, drawnTrack, sight, curves) {
	const { axis, track, extent } = drawnTrack;
	const { begin, end, weight } = wantOf(drawnTrack, [metric], sight, curves);
	const span = extent[axis.key] ?? [0, 0];
	const series = cache.find(track.id, metric, axis.key);
	// What comes first may be ahead of what all have.
	const newest = Math.max(span[1], series?.held?.header.end ?? span[1]);
	const covering = cover(series, [begin ?? span[0], end ?? newest]);
	const manner = { axis, span, weight };
	const earlier = curveOf(covering, manner, false);
	return {
		...{ metric, drawnTrack },
		curve: curveOf(covering, manner, true),
		earlier: earlier.x.length ? earlier : null,
	};
}
