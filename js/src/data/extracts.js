import { Floats } from "../base/floats.js";

/** @import { Extract, Piece } from "../protocol" */

/**
 * The numbers of a piece, as `mswidget.widget.protocol` names them: `at` are keys, or
 * numbers of buckets.
 * @typedef {Record<string, Floats>} Columns
 *
 * @typedef {Omit<Piece, "count"> & {columns: Columns}} HeldPiece
 *
 * An extract with its numbers.
 * @typedef {{header: Extract, pieces: HeldPiece[]}} Held
 */

const REDUCED = ["counts", "lows", "highs", "means", "lasts"];
const NONFINITE = ["nans", "above", "below"];

/**
 * The columns of an extract, in the order of its buffer.
 * @param {Extract} header
 */
function names({ key, level, nonfinite, weight }) {
	const steps = key === "step" ? [] : ["steps"];
	const values = level === null ? ["values"] : REDUCED;
	const odd = nonfinite ? NONFINITE : [];
	return ["at", ...steps, ...values, ...odd, ...(weight ? ["smooth"] : [])];
}

/** @param {Extract} header */
const points = ({ pieces }) =>
	pieces.reduce((sum, { count }) => sum + count, 0);

/** @param {Extract[]} headers */
export const byteLength = (headers) =>
	headers.reduce(
		(sum, header) => sum + 8 * names(header).length * points(header),
		0,
	);

/**
 * The extracts of one message.
 * @param {Extract[]} headers
 * @param {DataView} buffer
 * @returns {Held[]}
 */
export function decode(headers, buffer) {
	const expected = byteLength(headers);
	if (buffer.byteLength !== expected) {
		throw new Error(
			`${headers.length} extracts: expected ${expected} bytes, got ${buffer.byteLength}`,
		);
	}
	const take = reader(buffer);
	return headers.map((header) => {
		const all = names(header).map((name) => [name, take(points(header))]);
		return { header, pieces: parted(header, all) };
	});
}

/**
 * Copies: a view into the message may be unaligned and would keep all of it.
 * @param {DataView} buffer
 */
export function reader(buffer) {
	let offset = 0;
	return (/** @type {number} */ count) => {
		const numbers = new Float64Array(count);
		for (let i = 0; i < count; i++, offset += 8) {
			numbers[i] = buffer.getFloat64(offset, true);
		}
		return numbers;
	};
}

/**
 * @param {Extract} header
 * @param {(string | Float64Array)[][]} columns each over all pieces
 */
function parted({ pieces }, columns) {
	let start = 0;
	return pieces.map(({ count, ...piece }) => {
		const own = columns.map(([name, values]) => [
			name,
			new Floats(
				/** @type {Float64Array} */ (values).slice(start, start + count),
			),
		]);
		start += count;
		return {
			...piece,
			columns: /** @type {Columns} */ (Object.fromEntries(own)),
		};
	});
}

/**
 * Takes in what is new of an extract.
 * @param {Held} held
 * @param {Held} news that goes on
 */
export function goOn(held, news) {
	const { end, nonfinite, left_out } = news.header;
	held.header = {
		...held.header,
		nonfinite: held.header.nonfinite || nonfinite,
		left_out,
		end: Math.max(held.header.end, end),
	};
	for (const piece of news.pieces) {
		const own = held.pieces.find(({ row }) => row === piece.row);
		if (!own) held.pieces.push(piece);
		else append(own.columns, piece.columns, held.header.level !== null);
	}
}

/**
 * @param {Columns} columns
 * @param {Columns} news
 * @param {boolean} reduced whether the last bucket may come again
 */
function append(columns, news, reduced) {
	const { length } = columns.at;
	const again = reduced && columns.at.data[length - 1] === news.at.data[0];
	const kept = again ? length - 1 : length;
	for (const name of new Set([...Object.keys(columns), ...Object.keys(news)])) {
		columns[name] ??= new Floats(new Float64Array(length));
		columns[name].length = kept;
		if (news[name]) columns[name].append(news[name].view());
		else columns[name].pad(news.at.length);
	}
}

/** @param {Held} held */
export const bytes = ({ pieces }) =>
	pieces.reduce(
		(sum, { columns }) =>
			sum +
			200 +
			Object.values(columns).reduce((n, { data }) => n + data.byteLength, 0),
		500,
	);

/** Numbers of a metric in `Summaries`. */
const SUMMARY = 10;

/**
 * The ten numbers of each metric that was asked, in that order.
 * @param {DataView} buffer
 */
export function decodeSummaries(buffer) {
	const take = reader(buffer);
	const count = buffer.byteLength / 8 / SUMMARY;
	const columns = Array.from({ length: SUMMARY }, () => take(count));
	return Array.from({ length: count }, (_, i) =>
		columns.map((column) => column[i]),
	);
}
