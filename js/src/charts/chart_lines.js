import { lacks, lookedAt } from "../curve/curves.js";

/** @import { DrawnTrack, DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Plan } from "../panels/plan.js" */
/** @import { MetricInfo } from "../protocol" */

/** A curve of a chart. @typedef {{info: MetricInfo, drawnTrack: DrawnTrack}} ChartLine */

/**
 * Which curves a chart has: `drawn` ones, and those of which only `asked` is known that
 * there is nothing to see. `remark` says what is left out. A chart of many metrics has
 * one track: the one that is looked at.
 * @param {Plan} plan
 * @param {DrawnTracks} drawnTracks
 * @param {Pick<Store, "cache" | "summaries">} store
 * @returns {{drawn: ChartLine[], asked: ChartLine[], remark: string}}
 */
export function chartLines(plan, drawnTracks, store) {
	return plan.draw
		? ofMain(plan, drawnTracks, store)
		: ofTracks(plan, drawnTracks, store);
}

/**
 * @param {Plan} plan
 * @param {DrawnTracks} drawnTracks
 * @param {Pick<Store, "cache" | "summaries">} store
 */
function ofMain({ metrics, pick }, { tracks, main }, { cache, summaries }) {
	/** @param {DrawnTrack} drawnTrack */
	const has = (drawnTrack) =>
		metrics.some(({ name }) => !lacks(cache, name, drawnTrack));
	const drawnTrack = has(main) ? main : (tracks.find(has) ?? main);
	const picked = pick?.(metrics, summaries) ?? metrics;
	const lines = picked.map((info) => ({ info, drawnTrack }));
	const some =
		picked.length < metrics.length && `${picked.length} of ${metrics.length}`;
	const remarks = [tracks.length > 1 && drawnTrack.track.label, some];
	return {
		drawn: lines,
		asked: lines,
		remark: remarks.filter(Boolean).join(" · "),
	};
}

/**
 * @param {Plan} plan
 * @param {DrawnTracks} drawnTracks
 * @param {Pick<Store, "cache">} store
 */
function ofTracks({ metrics: [info] }, { tracks }, { cache }) {
	const { having, drawn, asked } = lookedAt(cache, info.name, tracks);
	/** @param {DrawnTrack[]} of */
	const lines = (of) => of.map((drawnTrack) => ({ info, drawnTrack }));
	const left =
		having.length > drawn.length &&
		`${drawn.length} of ${having.length} tracks`;
	const none = !having.length && "no value on what is shown";
	return {
		drawn: lines(drawn),
		asked: lines(asked),
		remark: left || none || "",
	};
}
