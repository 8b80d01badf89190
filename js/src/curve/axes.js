import { search } from "../base/search.js";

/** @import { Segment } from "../data/segment.js" */
/** @import { Held } from "../data/tracks.js" */
/** @import { Track } from "../protocol" */

/**
 * What the x axis shows of a track: a title, and where a row or a step stands on it.
 * `rewinds`: steps logged again come at an earlier place.
 * @typedef {{
 *   id: string, title: string, rewinds: boolean,
 *   of: (segment: Segment, row: number) => number,
 *   step: (step: number) => number,
 * }} Axis
 */

/** @typedef {{track: Track, held: Held[]}} HeldTrack a track and all that is here of it */
/** @typedef {[number, number]} Extent lowest and highest; none: Infinity first */

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
 * @param {HeldTrack[]} tracks
 */
export const offered = (tracks) =>
	AXES.map(([id]) => id).filter((id) =>
		tracks.every((heldTrack) => knows(id, heldTrack)),
	);

/**
 * A chosen axis on which not all have a place gives way to the steps.
 * @param {string} id
 * @param {string[]} offered
 */
export const drawnAxis = (id, offered) => (offered.includes(id) ? id : "step");

/**
 * @param {string} id
 * @param {HeldTrack} heldTrack
 */
function knows(id, { track, held }) {
	if (id === "samples") return Boolean(track.samples_per_step);
	if (id === "tokens") return Boolean(track.tokens_per_step);
	if (id !== "epoch" || track.steps_per_epoch || !held.length) return true;
	return held.some(({ segment, series }) =>
		Number.isFinite(segment.epochs.data[series.row(series.values.length - 1)]),
	);
}

/**
 * Where the rows of each track stand on the axis, which all of them share.
 * @param {string} id
 * @param {HeldTrack[]} tracks
 * @returns {Map<string, Axis>} by the track's id
 */
export function axesOf(id, tracks) {
	const spans = tracks.map(({ track, held }) =>
		held.map(({ segment, series }) => {
			const last = series.row(series.values.length - 1);
			return segment.times.data[last] - track.started_s;
		}),
	);
	const unit = timeUnit(Math.max(0, ...spans.flat().filter(Number.isFinite)));
	return new Map(
		tracks.map((heldTrack) => [
			heldTrack.track.id,
			axisOf(id, heldTrack, unit),
		]),
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
 * @param {HeldTrack} heldTrack
 * @param {[string, number]} unit of relative time
 * @returns {Axis}
 */
function axisOf(id, { track, held }, [unit, size]) {
	const factor = 1 / Number(track.steps_per_epoch);
	if (id === "samples") return scaled(id, Number(track.samples_per_step));
	if (id === "tokens") return scaled(id, Number(track.tokens_per_step));
	if (id === "epoch" && track.steps_per_epoch) return scaled(id, factor);
	if (id === "epoch") return lookedUp(id, id, "epochs", same, held);
	if (id === "wall") return lookedUp(id, "wall time", "times", local_ms, held);
	if (id !== "time") return scaled("step", 1);
	const title = `time since start [${unit}]`;
	/** @param {number} time_s */
	const since = (time_s) => (time_s - track.started_s) / size;
	return lookedUp(id, title, "times", since, held);
}

/** @param {number} x */
const same = (x) => x;

/**
 * Plotly shows dates as UTC; a reader thinks in the time of the place.
 * @param {number} time_s
 */
const local_ms = (time_s) =>
	1000 * time_s - 60_000 * new Date(1000 * time_s).getTimezoneOffset();

/**
 * @param {string} id
 * @param {number} factor of the steps
 * @returns {Axis}
 */
export const scaled = (id, factor) => ({
	id,
	title: id,
	rewinds: true,
	of: ({ steps }, row) => steps.data[row] * factor,
	step: (step) => step * factor,
});

/**
 * An axis of what only the rows of a track know.
 * @param {string} id
 * @param {string} title
 * @param {"epochs" | "times"} source
 * @param {(number: number) => number} scale
 * @param {Held[]} held
 * @returns {Axis}
 */
function lookedUp(id, title, source, scale, held) {
	/** @type {Axis["of"]} */
	const of = (segment, row) => scale(segment[source].data[row]);
	/** @param {number} step */
	const step = (step) => placeOf(step, of, longest(held));
	return { id, title, rewinds: source === "epochs", of, step };
}

/**
 * A metric that is in most rows stands for all of them.
 * @param {Held[]} held
 */
function longest(held) {
	/** @type {Map<Segment, Held>} */
	const bySegment = new Map();
	for (const metric of held) {
		const { segment, series } = metric;
		const before = bySegment.get(segment);
		if (!before || series.values.length > before.series.values.length)
			bySegment.set(segment, metric);
	}
	return [...bySegment.values()];
}

/**
 * @param {number} step
 * @param {Axis["of"]} of
 * @param {Held[]} held
 */
function placeOf(step, of, held) {
	for (const { segment, series } of [...held].reverse()) {
		for (const { from, to } of [...series.stretches.kept].reverse()) {
			const before = search(
				to - from,
				(i) => segment.steps.data[series.row(from + i)] > step,
			);
			if (before) return of(segment, series.row(from + before - 1));
		}
	}
	return Number.NaN;
}

/**
 * What all rows of a track span.
 * @param {Axis} axis
 * @param {Held[]} held
 * @returns {Extent}
 */
export function extentOf(axis, held) {
	/** @type {Extent} */
	const extent = [Infinity, -Infinity];
	for (const { segment, series } of held) {
		for (const { from, to } of series.stretches.all) {
			for (const index of [from, to - 1]) {
				const x = axis.of(segment, series.row(index));
				if (x < extent[0]) extent[0] = x;
				if (x > extent[1]) extent[1] = x;
			}
		}
	}
	return extent;
}
