/** @import { Extent, Key, Track } from "../protocol" */

/**
 * What the x axis shows of a track: a title, the key that orders its values, where a
 * key stands on the axis, and the other way round; and where something stands that
 * happened at a step and a time, NaN where that is not known.
 * @typedef {{
 *   id: string, title: string, key: Key,
 *   of: (key: number) => number,
 *   back: (x: number) => number,
 *   moment: (moment: Moment) => number,
 * }} Axis
 *
 * @typedef {{step: number, wall_time_s: number}} Moment
 *
 * A track, and what its rows span. @typedef {{track: Track, extent: Extent}} PlacedTrack
 */

/** The axes, and which a track can be drawn on. */
export const AXES = /** @type {const} */ ([
	["step", "step"],
	["epoch", "epoch"],
	["time", "time since start"],
	["wall", "wall time"],
	["samples", "samples"],
	["tokens", "tokens"],
]);

/**
 * The ids of the axes on which each of the tracks has a place.
 * @param {PlacedTrack[]} tracks
 */
export const offered = (tracks) =>
	AXES.map(([id]) => id).filter((id) =>
		tracks.every((placedTrack) => knows(id, placedTrack)),
	);

/**
 * A chosen axis on which not all have a place gives way to the steps.
 * @param {string} id
 * @param {string[]} offered
 */
export const drawnAxis = (id, offered) => (offered.includes(id) ? id : "step");

/**
 * @param {string} id
 * @param {PlacedTrack} placedTrack
 */
function knows(id, { track, extent }) {
	if (id === "samples") return Boolean(track.samples_per_step);
	if (id === "tokens") return Boolean(track.tokens_per_step);
	return id !== "epoch" || Boolean(track.steps_per_epoch || extent.epoch);
}

/**
 * Where each track stands on the axis, which all of them share.
 * @param {string} id
 * @param {PlacedTrack[]} tracks
 * @returns {Map<string, Axis>} by the track's id
 */
export function axesOf(id, tracks) {
	const spans_s = tracks.map(({ track, extent }) =>
		extent.time ? extent.time[1] - track.started_s : 0,
	);
	const unit = timeUnit(Math.max(0, ...spans_s));
	return new Map(
		tracks.map(({ track }) => [track.id, axisOf(id, track, unit)]),
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
 * @param {Track} track
 * @param {[string, number]} unit of relative time
 * @returns {Axis}
 */
function axisOf(id, track, [unit, size]) {
	if (id === "samples") return scaled(id, Number(track.samples_per_step));
	if (id === "tokens") return scaled(id, Number(track.tokens_per_step));
	if (id === "epoch" && track.steps_per_epoch) {
		return scaled(id, 1 / track.steps_per_epoch);
	}
	if (id === "epoch") return EPOCHS;
	if (id === "wall") return WALL;
	if (id !== "time") return scaled("step", 1);
	const { started_s } = track;
	return {
		...{ id, title: `time since start [${unit}]`, key: "time" },
		of: (time_s) => (time_s - started_s) / size,
		back: (x) => x * size + started_s,
		moment: ({ wall_time_s }) => (wall_time_s - started_s) / size,
	};
}

/**
 * @param {string} id
 * @param {number} factor of the steps
 * @returns {Axis}
 */
export const scaled = (id, factor) => ({
	...{ id, title: id, key: "step" },
	of: (step) => step * factor,
	back: (x) => x / factor,
	moment: ({ step }) => step * factor,
});

/** @type {Axis} whole epochs, as they were logged */
const EPOCHS = {
	...{ id: "epoch", title: "epoch", key: "epoch" },
	of: (epoch) => epoch,
	back: (x) => x,
	moment: () => Number.NaN,
};

/** @type {Axis} */
const WALL = {
	...{ id: "wall", title: "wall time", key: "time" },
	of: local_ms,
	back: (x) => (x + offset_ms(x + offset_ms(x))) / 1000,
	moment: ({ wall_time_s }) => local_ms(wall_time_s),
};

/**
 * Plotly shows dates as UTC; a reader thinks in the time of the place.
 * @param {number} time_s
 */
function local_ms(time_s) {
	return 1000 * time_s - offset_ms(1000 * time_s);
}

/** @param {number} time_ms */
const offset_ms = (time_ms) => 60_000 * new Date(time_ms).getTimezoneOffset();
