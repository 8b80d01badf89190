import { mainTrack } from "../data/tracks.js";
import { among, label } from "./marks.js";

/** @import { DrawnTrack } from "../curve/drawn_tracks.js" */
/** @import { Head, Mark } from "../protocol" */
/** @import { MarkLine } from "./labels.js" */

/** Of these only those of the run that is looked at are drawn. */
const OF_ONE = ["epoch_end", "eval", "checkpoint", "skipped"];

/**
 * The marks of the tracks that are drawn, in the colour of their run.
 * @param {Head} head
 * @param {DrawnTrack[]} tracks
 * @param {[number, number]} range
 * @param {number} width
 * @returns {MarkLine[]}
 */
export function trackMarkLines(head, tracks, range, width) {
	const runOf = new Map(head.tracks?.map(({ id, run }) => [id, run]));
	const several = new Set(tracks.map(({ track }) => track.run)).size > 1;
	const looked = mainTrack(head)?.run ?? tracks[0].track.run;
	const begun = new Set();
	const seen = head.marks.flatMap((mark) => {
		const run = runOf.get(mark.track ?? "") ?? looked;
		const drawnTrack =
			tracks.find(({ track }) => track.id === mark.track) ??
			tracks.find(({ track }) => track.run === run);
		const drawn =
			isDrawn(mark, run, begun) && (run === looked || !isOfOne(mark));
		return drawnTrack && drawn ? [line(mark, run, drawnTrack, several)] : [];
	});
	const [from, to] = range;
	return among(
		seen.filter(({ x }) => x >= from && x <= to),
		range,
		width,
	);
}

/** @param {Mark} mark */
const isOfOne = ({ kind }) => OF_ONE.includes(kind);

/**
 * A begin is worth a line where an attempt follows another.
 * @param {Mark} mark
 * @param {string} run
 * @param {Set<unknown>} begun runs
 */
function isDrawn({ kind }, run, begun) {
	if (kind !== "train_begin") return kind !== "train_end";
	const again = begun.has(run);
	begun.add(run);
	return again;
}

/**
 * @param {Mark} mark
 * @param {string} run
 * @param {DrawnTrack} drawnTrack
 * @param {boolean} several
 * @returns {MarkLine}
 */
function line(mark, run, { axis, look, track: { id } }, several) {
	const { kind, metric } = mark;
	const text = label(mark);
	const track = id === mark.track ? id : undefined;
	const drawn = { x: axis.step(mark.step, []), kind, text, metric, track };
	if (!several) return drawn;
	const own = text && kind !== "epoch_end" ? `${run}: ${text}` : text;
	return { ...drawn, text: own, color: look.color };
}
