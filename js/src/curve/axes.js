import { search } from "../base/search.js";

/** @import { Extent, Segment } from "../data/segment.js" */
/** @import { Status } from "../protocol" */

/**
 * What the x axis shows: a title, and where a row, a step or all of a segment
 * stands on it. `rewinds`: steps logged again come at an earlier place.
 * @typedef {{
 *   id: string, title: string, rewinds: boolean,
 *   of: (segment: Segment, row: number) => number,
 *   step: (step: number, segments: Segment[]) => number,
 *   extent: (segment: Segment) => Extent,
 * }} Axis
 */

export const AXES = /** @type {const} */ ([
	["step", "step"],
	["epoch", "epoch"],
	["time", "time"],
]);

/**
 * @param {string} id of AXES
 * @param {Status} status
 * @param {number} last_s time of the newest row
 * @returns {Axis}
 */
export function axis(id, status, last_s) {
	const { started_s, steps_per_epoch: size } = status;
	if (id === "time") return timeAxis(started_s, last_s);
	if (id === "step") return counted("step", (step) => step);
	if (size) return counted("epoch", (step) => step / size);
	return lookedUp("epoch", "epoch", "epochs", (epoch) => epoch);
}

/**
 * Whether the epoch axis can show anything.
 * @param {Status} status
 * @param {Segment[]} segments
 */
export const knowsEpochs = ({ steps_per_epoch }, segments) =>
	Boolean(steps_per_epoch) ||
	segments.some(({ extents: { epochs } }) => epochs[0] <= epochs[1]);

/**
 * @param {number} start_s
 * @param {number} last_s
 */
function timeAxis(start_s, last_s) {
	const [unit, size] = timeUnit(last_s - start_s);
	const title = `time since start [${unit}]`;
	const scale = (/** @type {number} */ time_s) => (time_s - start_s) / size;
	return lookedUp("time", title, "times", scale);
}

/**
 * @param {number} span_s
 * @returns {[string, number]}
 */
export function timeUnit(span_s) {
	if (span_s > 2 * 3600) return ["h", 3600];
	return span_s > 2 * 60 ? ["min", 60] : ["s", 1];
}

/**
 * @param {string} id
 * @param {(step: number) => number} scale
 * @returns {Axis}
 */
export const counted = (id, scale) => ({
	id,
	title: id,
	rewinds: true,
	of: ({ steps }, row) => scale(steps.data[row]),
	step: scale,
	extent: (segment) => both(segment.latestSteps(), scale),
});

/**
 * An axis of what only rows know.
 * @param {string} id
 * @param {string} title
 * @param {"epochs" | "times"} source
 * @param {(number: number) => number} scale
 * @returns {Axis}
 */
export function lookedUp(id, title, source, scale) {
	/** @type {Axis["of"]} */
	const of = (segment, row) => scale(segment[source].data[row]);
	/** @type {Axis["step"]} */
	const step = (step, segments) => {
		const segment = segments.findLast(
			({ rows, steps }) => rows.length > 0 && steps.data[0] <= step,
		);
		if (!segment) return Number.NaN;
		const row = search(
			segment.rows.length,
			(i) => segment.steps.data[i] > step,
		);
		return of(segment, row - 1);
	};
	/** @type {Axis["extent"]} */
	const extent = ({ extents }) => both(extents[source], scale);
	return { id, title, rewinds: source === "epochs", of, step, extent };
}

/**
 * @param {Extent} extent
 * @param {(number: number) => number} scale
 * @returns {Extent}
 */
const both = ([low, high], scale) => [scale(low), scale(high)];
