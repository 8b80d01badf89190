/** Small histories for the tests. */

import { readdirSync, readFileSync } from "node:fs";
import { scaled } from "../src/curve/axes.js";
import { column } from "../src/data/tracks.js";

/** @import { Theme } from "../src/base/theme.js" */
/** @import { DrawnTrack } from "../src/curve/drawn_tracks.js" */
/** @import { Chunk } from "../src/data/frames.js" */
/** @import { Options } from "../src/draw/layout.js" */
/** @import { Delta, Head, Rows, Status, Track } from "../src/protocol" */

const CONTRACT = new URL("../../tests/contract/", import.meta.url);

/**
 * @typedef {{rows: number[], steps: number[], values: (number | string)[]}} Points
 * @typedef {{
 *   name: string, message: Delta | Rows, buffer: DataView,
 *   points: Record<string, Points>,
 * }} Example
 */

/** @param {string} folder of the examples */
export const readContract = (folder) =>
	readdirSync(new URL(folder, CONTRACT), { withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ name, parentPath }) => ({
			name,
			...JSON.parse(readFileSync(`${parentPath}/${name}`, "utf8")),
		}));

/** @returns {Example[]} what the kernel's encoder must reproduce */
export const contract = () =>
	readContract("").map(({ name, message, buffer_base64, points }) => {
		const { buffer, byteOffset, length } = Buffer.from(buffer_base64, "base64");
		const view = new DataView(buffer, byteOffset, length);
		return { name, message, points, buffer: view };
	});

/**
 * Rows from `start` on, one step each, with values of the metric `loss`.
 * @param {number} start
 * @param {ArrayLike<number>} values
 * @returns {Chunk}
 */
export function chunk(start, values) {
	const rows = Float64Array.from(values, (_, i) => start + i);
	const column = { positions: null, values: Float64Array.from(values) };
	return {
		start,
		stop: start + values.length,
		reduced: false,
		rows,
		steps: rows.map((row) => row + 1),
		epochs: rows.map((row) => Math.ceil((row + 1) / 10)),
		times: rows.map((row) => 1000 + row / 2),
		columns: new Map([["loss", column]]),
	};
}

/**
 * The message of a chunk.
 * @param {Chunk} sent
 * @param {Partial<Status>} [news]
 * @param {number} [seq]
 * @returns {[Delta, DataView]}
 */
export function delta(sent, news = {}, seq = sent.stop) {
	const { start, stop, reduced, rows, steps, epochs, times, columns } = sent;
	const values = columns.get("loss")?.values ?? [];
	const numbers = [...rows, ...steps, ...epochs, ...times, ...values];
	const block = {
		start,
		stop,
		reduced,
		count: rows.length,
		columns: [{ metric: "loss", count: rows.length }],
	};
	return [
		{ kind: "delta", seq, block, status: status(news) },
		new DataView(Float64Array.from(numbers).buffer),
	];
}

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
	note: "",
	...news,
});

/**
 * Rows of one track among those of others.
 * @param {string} id
 * @param {number} start
 * @param {ArrayLike<number>} values
 * @param {number[]} [steps]
 * @returns {Chunk}
 */
export function trackChunk(id, start, values, steps) {
	const plain = chunk(start, values);
	const { positions, values: held } = plain.columns.get("loss") ?? {};
	return {
		...plain,
		steps: steps
			? Float64Array.from(steps)
			: plain.rows.map((r) => r - start + 1),
		columns: new Map([
			[
				column(id, "loss"),
				{ positions: positions ?? null, values: held ?? new Float64Array() },
			],
		]),
	};
}

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
	width: 800,
	height: 200,
	whole: false,
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
	metrics: new Set(["loss"]),
	begins: [],
	...news,
});
