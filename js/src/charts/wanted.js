import { wantOf } from "../curve/sight.js";
import { mainTrack } from "../data/tracks.js";
import { grouped } from "../data/wants.js";
import { plotWidth } from "../draw/layout.js";
import { chartLines } from "./chart_lines.js";

/** @import { DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Sight } from "../curve/sight.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Looked } from "../link/looking.js" */
/** @import { Plan } from "../panels/plan.js" */

/** A kernel answers so many at once. */
const MOST_WANTS = 1000;
const MOST_SUMMARIES = 1000;

/** A chart on the page, and how wide it is. @typedef {{plan: Plan, width: number}} Placed */

/**
 * @param {Pick<Choice, "range" | "weight">} choice
 * @param {number} width of a chart
 * @returns {Sight}
 */
export const sightOf = ({ range, weight }, width) => ({
	range,
	weight,
	pixels: plotWidth(width),
});

/**
 * What the page shows and wants to be told of: what the charts draw, the first first,
 * and of the track that is looked at what each metric comes to.
 * @param {Placed[]} charts those in view
 * @param {DrawnTracks | null} drawnTracks
 * @param {Choice} choice
 * @param {Store} store
 * @returns {Looked}
 */
export function wanted(charts, drawnTracks, choice, store) {
	const wants = charts.flatMap(({ plan, width }) => {
		if (!drawnTracks) return [];
		const { asked, drawn } = chartLines(plan, drawnTracks, store);
		const sight = sightOf(choice, width);
		return asked.map(({ info, drawnTrack }) =>
			wantOf(drawnTrack, [info.name], sight, Math.max(drawn.length, 1)),
		);
	});
	return {
		wants: grouped(wants.slice(0, MOST_WANTS)),
		track: mainTrack(store.head)?.id ?? "",
		summaries: store.head.metrics
			.map(({ name }) => name)
			.slice(0, MOST_SUMMARIES),
	};
}
