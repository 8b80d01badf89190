import { describe, expect, it } from "vitest";
import { bufferOf, extractExamples, rowsOf } from "../../test/contract.js";
import { Cache } from "./cache.js";
import { extract } from "./extract.js";
import { decode } from "./extracts.js";

/** @import { Held } from "./extracts.js" */

/** Sums may be taken in another order. */
const NEARLY = ["means", "smooth"];

/** @param {Held} held @param {Held} expected */
function same(held, expected) {
	const { pieces, goes_on, nonfinite, end, left_out, ...header } = held.header;
	expect(header).toEqual({
		...expected.header,
		...{ pieces: undefined, goes_on: undefined },
		pieces: undefined,
		goes_on: undefined,
		nonfinite: undefined,
		end: undefined,
		left_out: undefined,
	});
	expect([end, left_out]).toEqual([
		expected.header.end,
		expected.header.left_out,
	]);
	expect(held.pieces.map(told)).toEqual(expected.pieces.map(told));
	held.pieces.forEach(({ columns }, i) => {
		for (const [name, floats] of Object.entries(columns)) {
			const other = expected.pieces[i].columns[name];
			const values = other?.view() ?? new Float64Array(floats.length);
			if (!NEARLY.includes(name))
				expect([name, ...floats.view()]).toEqual([name, ...values]);
			else close(floats.view(), values);
		}
	});
}

/** @param {Float64Array} values @param {Float64Array} expected */
function close(values, expected) {
	values.forEach((value, i) => {
		if (Number.isNaN(expected[i])) expect(value).toBeNaN();
		else
			expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(
				1e-9 * Math.abs(expected[i]),
			);
	});
}

/** @param {Held["pieces"][number]} piece */
const told = ({ row, kept, attempt, columns }) => [
	row,
	kept,
	attempt,
	columns.at.length,
];

describe("extract", () => {
	it.each(extractExamples())(
		"takes out of rows what the kernel does: $name",
		({ want, batches }) => {
			const logged = [];
			for (const [i, { rows, extract: header, columns }] of batches.entries()) {
				logged.push(...rows);
				if (header.goes_on) continue;
				const [expected] = decode([header], bufferOf(columns));
				same(extract(rowsOf(logged), want, want.metrics[0]), expected);
				expect(i).toBe(i);
			}
		},
	);
});

describe("a page that is told what is new", () => {
	it.each(extractExamples())(
		"holds what it would be told at once: $name",
		({ want, batches }) => {
			const cache = new Cache();
			cache.look([want], 1, true);
			const logged = [];
			for (const { rows, extract: header, columns } of batches) {
				logged.push(...rows);
				for (const held of decode([header], bufferOf(columns)))
					cache.take(held, 1);
				const held = cache.find(want.track, want.metrics[0], want.key)?.held;
				const level = held?.header.level ?? null;
				const points = level === null ? 2500 : 0;
				const anew = { ...want, points, level: level ?? 0 };
				if (held) same(held, extract(rowsOf(logged), anew, want.metrics[0]));
			}
		},
	);
});
