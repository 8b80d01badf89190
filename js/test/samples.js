/** Small runs for the tests. */

import { scaled } from "../src/curve/axes.js";
import { extract } from "../src/data/extract.js";
import { Rows } from "../src/data/rows.js";
import { createStore } from "../src/data/store.js";

/** @import { Theme } from "../src/base/theme.js" */
/** @import { Curve } from "../src/curve/curve.js" */
/** @import { DrawnTrack } from "../src/curve/drawn_tracks.js" */
/** @import { Store } from "../src/data/store.js" */
/** @import { Options } from "../src/draw/layout.js" */
/** @import { Extent, Head, Status, Track, Want } from "../src/protocol" */

/**
 * Rows of one metric, two a second: of steps from 1 on, ten of them an epoch.
 * @param {ArrayLike<number>} values
 * @param {{
 *   steps?: number[], attempts?: string[], times?: number[], epochs?: number[],
 *   metric?: string,
 * }} [more]
 */
export function rows(values, more = {}) {
	const each = (/** @type {(i: number) => number} */ of) =>
		Float64Array.from(values, (_, i) => of(i));
	const step = Float64Array.from(more.steps ?? each((i) => i + 1));
	const time = Float64Array.from(more.times ?? each((i) => 1000 + i / 2));
	const epoch = Float64Array.from(
		more.epochs ?? step.map((s) => Math.ceil(s / 10)),
	);
	const attempts = more.attempts ?? Array.from(values, () => "a1");
	const column = { at: null, values: Float64Array.from(values) };
	const columns = new Map([[more.metric ?? "loss", column]]);
	return new Rows({ step, time, epoch }, attempts, columns);
}

/**
 * What a page knows of some tracks before it has asked for anything.
 * @param {Record<string, Rows>} tracks
 * @param {Partial<Head>} [news]
 */
export function storeOf(tracks, news = {}) {
	const ids = Object.keys(tracks);
	const store = createStore(
		head({ tracks: ids.map((id) => track(id)), ...news }),
	);
	store.extents = ids.map((id) => tracks[id].extent(id));
	return store;
}

/**
 * Answers as a kernel does.
 * @param {Store} store
 * @param {Record<string, Rows>} tracks
 * @param {Want[]} wants
 */
export function answer({ cache }, tracks, wants) {
	cache.look(wants, 1, true);
	for (const want of wants) {
		for (const metric of want.metrics) {
			cache.take(extract(tracks[want.track], want, metric), 1);
		}
	}
	cache.complete(1);
}

/**
 * All of the loss of a run, exactly.
 * @param {Partial<Want>} [news]
 * @returns {Want}
 */
export const want = (news = {}) => ({
	...{ track: "", metrics: ["loss"], key: "step", begin: null, end: null },
	...{ level: 0, points: 2000, weight: 0, ...news },
});

/**
 * A curve through points; NaN parts lines.
 * @param {number[]} y
 * @param {Partial<Curve>} [news]
 * @returns {Curve}
 */
export function curve(y, news = {}) {
	const none = new Float64Array(y.length).fill(Number.NaN);
	return {
		...{
			x: Float64Array.from(y.keys()),
			y: Float64Array.from(y),
			smooth: null,
		},
		...{ low: none, high: none, count: none, left: none, right: none },
		...{ nonfinite: [], values: y.length, reduced: 0, buckets: 0, left_out: 0 },
		...{ missing: [], averaged: true, ...news },
	};
}

/** @param {string} [id] @returns {Extent} */
export const extent = (id = "") => ({
	...{
		track: id,
		rows: 100,
		step: [1, 100],
		time: [1000, 1049.5],
		epoch: [1, 10],
	},
});

/** @type {import("../src/protocol").Silence} */
export const SILENCE = { rank_s: 60, step_times: 3, step_s: 5, kernel_s: 10 };

/**
 * @param {Partial<Status>} [news]
 * @returns {Status}
 */
export const status = (news = {}) => ({
	phase: "training",
	phase_since_s: 1010,
	started_s: 1000,
	begun_s: 1000,
	sent_s: 1100,
	step: 40,
	total_steps: 100,
	epoch: 4,
	total_epochs: 10,
	steps_per_epoch: 10,
	steps_per_s: 2,
	last_value_s: 1099.5,
	last_step_s: 1099.5,
	usual_step_s: 0.5,
	stop: "",
	stoppable: true,
	commands: [],
	controls: true,
	detail: "",
	...news,
});

/**
 * @param {Partial<Head>} [news]
 * @returns {Head}
 */
export const head = (news = {}) => ({
	run: { name: "run", path: "train_logs/run", rank: 0, attempt: "a1" },
	status: status(),
	metrics: [
		{ name: "loss", label: "loss", unit: "", better: "lower", panel: "loss" },
	],
	marks: [],
	references: [],
	alerts: [],
	alert_count: 0,
	notices: [],
	tracks: [track()],
	silence: SILENCE,
	...news,
});

/**
 * @param {string} [id] empty: that of a live run
 * @param {Partial<Track>} [news]
 * @returns {Track}
 */
export const track = (id = "", news = {}) => ({
	id,
	run: "run",
	rank: 0,
	stat: "",
	label: "run",
	colour: 0,
	shown: true,
	phase: "training",
	step: 40,
	started_s: 1000,
	last_value_s: 1099.5,
	steps_per_epoch: null,
	samples_per_step: null,
	tokens_per_step: null,
	odd: "",
	note: "",
	...news,
});

/** @type {Theme} */
export const theme = {
	text: "#000000",
	muted: "#777777",
	grid: "#eeeeee",
	error: "#ff0000",
	mark: "#0000ff",
	background: "#ffffff",
	font: "sans-serif",
	palette: ["#111111", "#222222", "#333333"],
};

/**
 * @param {Partial<Options>} [news]
 * @returns {Options}
 */
export const options = (news = {}) => ({
	axis: scaled("step", 1),
	range: [0, 10],
	zoomed: 0,
	weight: 0,
	log: false,
	theme,
	markLines: [],
	wide: true,
	strip: false,
	width: 800,
	height: 200,
	whole: false,
	waits: "waits for the kernel",
	references: [],
	...news,
});

/**
 * The only track, drawn over its steps.
 * @param {Partial<DrawnTrack>} [news]
 * @returns {DrawnTrack}
 */
export const drawnTrack = (news = {}) => ({
	track: track(),
	label: "",
	look: { color: theme.palette[0], dash: "solid" },
	axis: scaled("step", 1),
	extent: extent(),
	...news,
});
