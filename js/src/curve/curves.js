import { column } from "../data/tracks.js";
import { attempts } from "./attempts.js";
import { average } from "./average.js";
import { EXACT, through } from "./curve.js";

/** @import { Segment } from "../data/segment.js" */
/** @import { Curve } from "./curve.js" */
/** @import { DrawnTrack } from "./drawn_tracks.js" */

/** More lines in a chart than these cannot be told apart, nor drawn in time. */
export const MOST = 32;
const LEAST_EXACT = 400;

/**
 * A metric of a track: as it counts now, and what was trained again: `replaced` points.
 * @typedef {{
 *   drawnTrack: DrawnTrack, curve: Curve, earlier: Curve | null, replaced: number,
 * }} TrackCurve
 *
 * What is in view, the weight of smoothing, and the width in pixels.
 * @typedef {{range: [number, number] | null, weight: number, width: number}} Sight
 */

/**
 * The curves of a metric, one for each track that has it, up to `MOST`.
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {DrawnTrack[]} tracks
 * @param {Sight} sight
 * @returns {TrackCurve[]}
 */
export function curvesOf(segments, metric, tracks, sight) {
	const having = tracks.filter(({ metrics }) => metrics.has(metric));
	const drawn = having.slice(0, MOST);
	// All curves of a chart share what one alone may take.
	const exact = Math.max(LEAST_EXACT, EXACT / drawn.length);
	return drawn.map((track) => curveOf(segments, metric, track, sight, exact));
}

/**
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {DrawnTrack} drawnTrack
 * @param {Sight} sight
 * @param {number} [exact]
 * @returns {TrackCurve}
 */
export function curveOf(segments, metric, drawnTrack, sight, exact = EXACT) {
	const { track, axis, begins } = drawnTrack;
	const { range, weight, width } = sight;
	const name = column(track.id, metric);
	const { current, earlier, replaced } = attempts(segments, name, axis, begins);
	const view = { axis, range, pixels: width, exact };
	const smooth = weight ? average(segments, name, weight, begins) : null;
	const old = through(earlier, view, null);
	return {
		drawnTrack,
		curve: through(current, view, smooth),
		earlier: old.x.length ? old : null,
		replaced,
	};
}
