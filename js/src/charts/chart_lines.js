import { lacks, lookedAt, MOST } from "../curve/curves.js";
import { DASHES } from "../data/tracks.js";

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
 * Of several metrics each has a dash of its own, and is named where more than one is drawn.
 * @param {Plan} plan
 * @param {DrawnTracks} drawnTracks
 * @param {Pick<Store, "cache">} store
 */
function ofTracks({ metrics }, { tracks }, { cache }) {
	const looked = metrics.map((info) => ({
		info,
		...lookedAt(cache, info.name, tracks),
	}));
	const having = looked.filter((one) => one.having.length);
	/** @param {MetricInfo} info @param {DrawnTrack[]} of */
	const lines = (info, of) => of.map((drawnTrack) => ({ info, drawnTrack }));
	const drawn = looked
		.flatMap(({ info, drawn }) => {
			const turn = having.findIndex((one) => one.info === info);
			return lines(
				info,
				having.length > 1
					? drawn.map((drawnTrack) => named(drawnTrack, info, turn))
					: drawn,
			);
		})
		.slice(0, MOST);
	const all = having.reduce((sum, one) => sum + one.having.length, 0);
	const left =
		all > drawn.length &&
		`${drawn.length} of ${all} ${metrics.length > 1 ? "curves" : "tracks"}`;
	const none = !having.length && "no value on what is shown";
	return {
		drawn,
		asked: looked.flatMap(({ info, asked }) => lines(info, asked)),
		remark: left || none || "",
	};
}

/**
 * A track as it is drawn in a chart of several metrics.
 * @param {DrawnTrack} drawnTrack
 * @param {MetricInfo} info
 * @param {number} turn of the metric
 * @returns {DrawnTrack}
 */
function named(drawnTrack, { name, label }, turn) {
	const { label: track, look } = drawnTrack;
	return {
		...drawnTrack,
		label: [label || name, track].filter(Boolean).join(" · "),
		look: {
			...look,
			dash: DASHES[(DASHES.indexOf(look.dash) + turn) % DASHES.length],
		},
	};
}
