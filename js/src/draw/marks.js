import { ENDED } from "../data/store.js";
import { mainTrack } from "../data/tracks.js";
import { ALIKE, among } from "./crowd.js";

/** @import { DrawnTrack } from "../curve/drawn_tracks.js" */
/** @import { Head, Mark } from "../protocol" */
/** @import { MarkLine } from "./labels.js" */

/** Of these only those of the run that is looked at are drawn. */
const OF_ONE = ["epoch_end", "eval", "checkpoint", "skipped"];
const LABEL_LENGTH = 30;

/**
 * The marks of the tracks that are drawn, in the colour of their run.
 * @param {Head} head
 * @param {DrawnTrack[]} tracks
 * @param {[number, number]} range
 * @param {number} width
 * @returns {MarkLine[]}
 */
export function markLines(head, tracks, range, width) {
	const runOf = new Map(head.tracks.map(({ id, run }) => [id, run]));
	const several = new Set(tracks.map(({ track }) => track.run)).size > 1;
	const looked = mainTrack(head)?.run ?? tracks[0].track.run;
	// Of what an earlier attempt logged the page may know nothing.
	const begins = head.marks.filter(({ kind }) => kind === "train_begin");
	const alone = head.run.attempt !== "a1" && begins.length === 1;
	/** @type {Set<string>} */
	const begun = new Set(alone ? [looked] : []);
	const seen = head.marks.flatMap((mark) => {
		const run = runOf.get(mark.track) ?? looked;
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
 * @param {Set<string>} begun runs
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
	const drawn = { x: axis.moment(mark), kind, text, metric, track };
	if (!several) return drawn;
	const own = text && kind !== "epoch_end" ? `${run}: ${text}` : text;
	return { ...drawn, text: own, color: look.color };
}

/**
 * How a run ended is told above the panels in full; an evaluation has its curve.
 * @param {Mark} mark
 */
export function label({ kind, text }) {
	if (kind === "eval") return "";
	if (["epoch_end", "train_begin", "no_number"].includes(kind))
		return short(text);
	if (ENDED.includes(kind) || ALIKE.includes(kind)) return kind;
	return short(text ? `${kind}: ${text}` : kind);
}

/** @param {string} text */
const short = (text) =>
	text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH - 1)}…` : text;
