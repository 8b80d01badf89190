import { column } from "../data/tracks.js";
import { attempts } from "./attempts.js";
import { average } from "./average.js";
import { EXACT, through } from "./curve.js";

/** @import { Segment } from "../data/segment.js" */
/** @import { Player } from "./cast.js" */
/** @import { Curve } from "./curve.js" */

/** More lines in a chart than these cannot be told apart, nor drawn in time. */
export const MOST = 32;
const LEAST_EXACT = 400;

/**
 * A metric of a track: as it counts now, and what was trained again.
 * @typedef {{player: Player, curve: Curve, earlier: Curve | null}} Part
 */

/**
 * The curves of a metric, one for each track that has it, up to `MOST`.
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {Player[]} players
 * @param {{range: [number, number] | null, weight: number, width: number}} options
 * @returns {Part[]}
 */
export function curvesOf(segments, metric, players, { range, weight, width }) {
	const having = players.filter(({ metrics }) => metrics.has(metric));
	const drawn = having.slice(0, MOST);
	// All curves of a chart share what one alone may take.
	const exact = Math.max(LEAST_EXACT, EXACT / drawn.length);
	return drawn.map((player) => {
		const { track, axis, begins } = player;
		const name = column(track.id, metric);
		const { current, earlier } = attempts(segments, name, axis, begins);
		const view = { axis, range, pixels: width, exact };
		const smooth = weight ? average(segments, name, weight, begins) : null;
		const old = through(earlier, view, null);
		return {
			player,
			curve: through(current, view, smooth),
			earlier: old.total ? old : null,
		};
	});
}
