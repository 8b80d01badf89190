import { element } from "../base/dom.js";
import { select } from "./select.js";

/** @import { AskTimeline, Overview } from "../protocol" */
/** @import { Figure } from "./legend.js" */
/** @import { Picture } from "./picture.js" */
/** @import { Requests } from "./requests.js" */

/** MB of a trace: reading more takes seconds, so the reader has to ask for it. */
const SLOW_MB = 100;

/**
 * The timeline: its rank, its step, and more detail where the reader zooms.
 * @param {Picture} picture
 * @param {Overview} overview
 * @param {Requests} requests
 */
export function timeline(picture, { ranks, steps, trace_mb }, requests) {
	/** @type {{rank?: number, step?: number}} */
	const chosen = {};
	let zoomed = false;

	/** @param {Partial<AskTimeline>} window */
	function ask(window) {
		read.hidden = true;
		back.hidden = !zoomed;
		picture.show(requests.timeline({ rank: chosen.rank, ...window }));
	}
	function whole() {
		zoomed = false;
		ask({ step: chosen.step });
	}
	const rank = select("Rank", ranks.map(String), (value) => {
		chosen.rank = Number(value);
		whole();
	});
	const step = select("Step", ["all", ...steps.map(String)], (value) => {
		chosen.step = value === "all" ? undefined : Number(value);
		whole();
	});
	rank.hidden = ranks.length < 2;
	step.hidden = steps.length < 2;
	const size = `Draw the timeline (reads ${Math.round(trace_mb)} MB)`;
	const read = element("button", "", size);
	read.addEventListener("click", whole);
	const back = element("button", "", "Whole timeline");
	back.addEventListener("click", whole);
	back.hidden = true;
	picture.onZoom = (event) => {
		const window = zoomedWindow(picture.figure, event);
		if (window) {
			zoomed = true;
			ask(window);
		} else if (zoomed && event["xaxis.autorange"]) whole();
	};
	if (trace_mb <= SLOW_MB) whole();
	picture.head.append(rank, step, read, back);
	return picture.element;
}

/**
 * The window to ask for when bars that stand for several events are zoomed into.
 * @param {Figure | null} figure
 * @param {any} event of Plotly
 */
export function zoomedWindow(figure, event) {
	const [from, until] = [event["xaxis.range[0]"], event["xaxis.range[1]"]];
	const meta = figure?.layout.meta;
	if (!meta?.merged || !meta.begin_ns) return null;
	if (from === undefined || until === undefined) return null;
	return {
		start_ns: at(meta.begin_ns, from),
		end_ns: at(meta.begin_ns, until),
	};
}

/**
 * A moment as text: today's nanoseconds do not fit into a number.
 * @param {string} begin_ns
 * @param {number} us
 */
function at(begin_ns, us) {
	return String(BigInt(begin_ns) + BigInt(Math.round(us * 1000)));
}
