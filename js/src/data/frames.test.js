import { describe, expect, it } from "vitest";
import { chunk, contract } from "../../test/samples.js";
import { cut, decode } from "./frames.js";

/** @param {number | string} value NaN and the infinities stand as text in JSON */
const numeric = (value) => Number(value);

describe("decode", () => {
	it.each(contract())("reads $name as the kernel meant it", (example) => {
		const { rows, steps, columns } = decode(
			example.message.block,
			example.buffer,
		);
		expect([...columns.keys()].sort()).toEqual(
			Object.keys(example.points).sort(),
		);
		for (const [metric, points] of Object.entries(example.points)) {
			const { positions, values } = columns.get(metric) ?? {};
			const at = positions ? [...positions] : [...rows.keys()];
			expect(at.map((i) => rows[i])).toEqual(points.rows);
			expect(at.map((i) => steps[i])).toEqual(points.steps);
			expect([...(values ?? [])]).toEqual(points.values.map(numeric));
		}
	});

	it("reads a buffer that begins in the middle of another, unaligned", () => {
		const [{ message, buffer }] = contract().filter(
			({ name }) => name === "dense.json",
		);
		const shifted = new Uint8Array(buffer.byteLength + 13);
		const bytes = new Uint8Array(
			buffer.buffer,
			buffer.byteOffset,
			buffer.byteLength,
		);
		shifted.set(bytes, 3);
		const view = new DataView(shifted.buffer, 3, buffer.byteLength);
		expect(decode(message.block, view)).toEqual(decode(message.block, buffer));
	});

	it("refuses a buffer of the wrong size, naming the rows", () => {
		const [{ message }] = contract();
		const empty = new DataView(new ArrayBuffer(0));
		expect(() => decode(message.block, empty)).toThrow(/rows 0 to \d+.*bytes/);
	});
});

describe("cut", () => {
	it("keeps the rows of the range and their values", () => {
		const { start, stop, rows, columns } = cut(chunk(10, [1, 2, 3, 4]), 11, 13);
		expect([start, stop, ...rows]).toEqual([11, 13, 11, 12]);
		expect(columns.get("loss")?.values).toEqual(Float64Array.of(2, 3));
	});

	it("moves the positions of a sparse column", () => {
		const sparse = chunk(0, [0, 0, 0, 0]);
		const values = Float64Array.of(7, 8);
		sparse.columns.set("eval", { positions: Float64Array.of(1, 3), values });
		expect(cut(sparse, 2, 4).columns.get("eval")).toEqual({
			positions: Float64Array.of(1),
			values: Float64Array.of(8),
		});
	});
});
