import { wantOf } from "../curve/sight.js";
import { mainTrack } from "../data/tracks.js";
import { grouped } from "../data/wants.js";
import { plotWidth } from "../draw/layout.js";
import { chartLines } from "./chart_lines.js";
import { chosenRange } from "./page_model.js";

/** @import { DrawnTrack, DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Sight } from "../curve/sight.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Looked } from "../link/looking.js" */
/** @import { Plan } from "../panels/plan.js" */
/** @import { MetricInfo } from "../protocol" */

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

/** A sketch is small. */
const SKETCH = { pixels: 120, curves: 5 };

/**
 * @param {[number, number] | null} range
 * @returns {Sight}
 */
export const sketchSight = (range) => ({
	...{ range, weight: 0, pixels: SKETCH.pixels },
});

/**
 * @param {DrawnTrack} main
 * @param {string} name
 * @param {[number, number] | null} range
 */
const sketchWant = (main, name, range) =>
	wantOf(main, [name], sketchSight(range), SKETCH.curves);

/**
 * What the page shows and wants to be told of: what the charts draw, the first first,
 * and of the track that is looked at what each metric comes to.
 * @param {Placed[]} charts those in view
 * @param {MetricInfo[]} sketched those of which a sketch is in view
 * @param {DrawnTracks | null} drawnTracks
 * @param {Choice} choice
 * @param {Store} store
 * @returns {Looked}
 */
export function wanted(charts, sketched, drawnTracks, choice, store) {
	const { weight } = choice;
	const range = drawnTracks && chosenRange(choice, drawnTracks);
	const wants = charts.flatMap(({ plan, width }) => {
		if (!drawnTracks) return [];
		const { asked, drawn } = chartLines(plan, drawnTracks, store);
		const sight = sightOf({ range, weight }, width);
		return asked.map(({ info, drawnTrack }) =>
			wantOf(drawnTrack, [info.name], sight, Math.max(drawn.length, 1)),
		);
	});
	const small = sketched.flatMap(({ name }) =>
		drawnTracks ? [sketchWant(drawnTracks.main, name, range)] : [],
	);
	return {
		wants: grouped([...wants, ...small].slice(0, MOST_WANTS)),
		track: mainTrack(store.head)?.id ?? "",
		summaries: store.head.metrics
			.map(({ name }) => name)
			.slice(0, MOST_SUMMARIES),
	};
}
