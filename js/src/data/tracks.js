/** @import { Head, MetricInfo, Track } from "../protocol" */
/** @import { Choice } from "./choice.js" */
/** @import { Segment } from "./segment.js" */
/** @import { Series } from "./series.js" */

/** Stands between a track's id and a metric in the name of a column. */
const TRACK_END = "\x1f";
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];

const STATS = { min: "dot", mean: "dash", median: "solid", max: "dot" };

/** @typedef {{color: string, dash: string}} Look */

/** A metric of a track in a segment. @typedef {{segment: Segment, series: Series}} Held */

/**
 * @param {string} id of a track
 * @param {string} metric
 */
export const column = (id, metric) => `${id}${TRACK_END}${metric}`;

/**
 * The tracks that a reader sees: those of the kernel's choice, until others are chosen.
 * @param {Head} head
 * @param {Choice} choice
 */
export const shownTracks = ({ tracks = [] }, choice) =>
	tracks.filter(({ id, shown }) => choice.tracks[id] ?? shown);

/**
 * What is here of each track, and which metrics.
 * @param {Segment[]} segments
 */
export function holdings(segments) {
	/** @type {Map<string, Map<string, Held[]>>} */
	const tracks = new Map();
	for (const segment of segments) {
		for (const [name, series] of segment.series) {
			const end = name.indexOf(TRACK_END);
			const [id, metric] = [
				name.slice(0, Math.max(end, 0)),
				name.slice(end + 1),
			];
			const metrics = tracks.get(id) ?? new Map();
			tracks.set(id, metrics);
			metrics.set(metric, [
				...(metrics.get(metric) ?? []),
				{ segment, series },
			]);
		}
	}
	return tracks;
}

/**
 * The names of the metrics that have values; of tracks, those that are shown.
 * @param {Head} head
 * @param {Segment[]} segments
 * @param {Choice} choice
 */
export function metricNames(head, segments, choice) {
	if (!head.tracks)
		return new Set(segments.flatMap((s) => [...s.series.keys()]));
	const held = holdings(segments);
	const shown = shownTracks(head, choice);
	return new Set(shown.flatMap(({ id }) => [...(held.get(id)?.keys() ?? [])]));
}

/**
 * The track that speaks for the run that is looked at.
 * @param {Head} head
 */
export const mainTrack = ({ run, tracks = [] }) =>
	tracks.find((t) => t.run === run.name && t.rank === run.rank && !t.stat);

/**
 * Metrics as columns of the track that is looked at; of a single run, as they are.
 * @param {Head} head
 * @param {MetricInfo[]} metrics
 */
export function columnsOfMain(head, metrics) {
	if (!head.tracks) return metrics;
	const main = mainTrack(head);
	if (!main) return [];
	return metrics.map((info) => ({
		...info,
		name: column(main.id, info.name),
		label: info.label || info.name,
	}));
}

/**
 * What tells a track from the others that are shown.
 * @param {Track} track
 * @param {Track[]} shown
 */
export const labelOf = ({ run, label }, shown) =>
	shown.some((other) => other.run !== run) ? label : withoutRun(run, label);

/**
 * A label without the name of the run.
 * @param {string} run
 * @param {string} label
 */
export const withoutRun = (run, label) =>
	label.startsWith(`${run} · `) ? label.slice(run.length + 3) : label;

/**
 * What the lowest and the highest of all ranks are called together.
 * @param {string} label of the lowest
 */
export const bandLabel = (label) => label.replace(/min(?= of)/, "min–max");

/**
 * Several runs are told apart by colour; the ranks of one alone, too, beside the
 * first colour, which is that of the band.
 * @param {Track[]} shown
 * @param {string[]} palette
 * @returns {(track: Track) => Look}
 */
export function looks(shown, palette) {
	const several = new Set(shown.map(({ run }) => run)).size > 1;
	const size = palette.length;
	/** @param {number} index @param {number} turn @returns {Look} */
	const look = (index, turn) => ({
		color: palette[index % size],
		dash: DASHES[(turn + Math.floor(index / size)) % DASHES.length],
	});
	return ({ colour, dash, stat, label, run }) => {
		if (stat) return { ...look(several ? colour : 0, 0), dash: STATS[stat] };
		if (several) return look(colour, dash);
		return look(label === run ? 0 : dash + 1, 0);
	};
}
