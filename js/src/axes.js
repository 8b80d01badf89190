/** @import { Segment } from "./segment.js" */
/** @import { Status } from "./protocol" */

/**
 * What the x axis shows: a title, and where a row or a step stands on it.
 * @typedef {{
 *   id: string, title: string,
 *   of: (segment: Segment, row: number) => number,
 *   step: (step: number, segments: Segment[]) => number,
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
	if (id === "epoch") return epochAxis(status.steps_per_epoch);
	if (id === "time") return timeAxis(status.started_s, last_s);
	return {
		id,
		title: "step",
		of: (segment, row) => segment.steps.data[row],
		step: (step) => step,
	};
}

/**
 * @param {number | null} size steps in an epoch
 * @returns {Axis}
 */
function epochAxis(size) {
	if (size) {
		return {
			id: "epoch",
			title: "epoch",
			of: (segment, row) => segment.steps.data[row] / size,
			step: (step) => step / size,
		};
	}
	return lookedUp("epoch", "epoch", ({ epochs }, row) => epochs.data[row]);
}

/**
 * @param {number} start_s
 * @param {number} last_s
 */
function timeAxis(start_s, last_s) {
	const [unit, size] = timeUnit(last_s - start_s);
	return lookedUp(
		"time",
		`time since start [${unit}]`,
		({ times }, row) => (times.data[row] - start_s) / size,
	);
}

/**
 * @param {number} span_s
 * @returns {[string, number]}
 */
function timeUnit(span_s) {
	if (span_s > 2 * 3600) return ["h", 3600];
	return span_s > 2 * 60 ? ["min", 60] : ["s", 1];
}

/**
 * @param {string} id
 * @param {string} title
 * @param {Axis["of"]} of
 * @returns {Axis}
 */
function lookedUp(id, title, of) {
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
	return { id, title, of, step };
}

/**
 * The first of `length` indices for which `after` holds; it stays true from there.
 * @param {number} length
 * @param {(index: number) => boolean} after
 */
export function search(length, after) {
	let low = 0;
	let high = length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (after(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}
