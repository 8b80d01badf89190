/** The examples that pytest reads, too. */

import { readdirSync, readFileSync } from "node:fs";
import { Rows } from "../src/data/rows.js";

/** @import { Extract, Want } from "../src/protocol" */

const CONTRACT = new URL("../../tests/contract/", import.meta.url);

/**
 * JSON has no number for NaN and the infinities: they stand there by name.
 * @typedef {number | "NaN" | "Infinity" | "-Infinity"} Named
 * @typedef {{
 *   step: number, wall_time_s: number, epoch: number, attempt: string,
 *   values: Record<string, Named>,
 * }} Row
 * @typedef {{rows: Row[], extract: Extract, columns: Named[][]}} Batch
 * @typedef {{name: string, want: Want, batches: Batch[]}} Example
 */

/** @param {string} folder of the examples */
export const readContract = (folder) =>
	readdirSync(new URL(folder, CONTRACT), { withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ name, parentPath }) => ({
			name,
			...JSON.parse(readFileSync(`${parentPath}/${name}`, "utf8")),
		}));

/** @returns {Example[]} histories as they grow, and what a page is told of them */
export const extractExamples = () =>
	readContract("").filter(({ name }) => name.startsWith("extract_"));

/** @param {Named[][]} columns */
export const bufferOf = (columns) =>
	new DataView(Float64Array.from(columns.flat(), Number).buffer);

/** @param {Row[]} logged */
export function rowsOf(logged) {
	/** @param {(row: Row) => number} of */
	const each = (of) => Float64Array.from(logged, of);
	const metrics = new Set(logged.flatMap(({ values }) => Object.keys(values)));
	const columns = [...metrics].map((metric) => {
		const at = [...logged.keys()].filter((i) => metric in logged[i].values);
		const values = at.map((i) => Number(logged[i].values[metric]));
		const column = {
			at: Float64Array.from(at),
			values: Float64Array.from(values),
		};
		return /** @type {const} */ ([metric, column]);
	});
	const keys = {
		step: each(({ step }) => step),
		time: each(({ wall_time_s }) => wall_time_s),
		epoch: each(({ epoch }) => epoch),
	};
	return new Rows(
		keys,
		logged.map(({ attempt }) => attempt),
		new Map(columns),
	);
}
