import { search } from "../base/search.js";

/** @import { Key } from "../protocol" */

/**
 * Rows `start` to `stop`, of one attempt, whose keys never fall; see
 * `mswidget.records.pieces`.
 * @typedef {{start: number, stop: number, kept: boolean, attempt: string}} RowPiece
 */

/**
 * Cuts rows by one of their keys.
 * @param {Record<Key, Float64Array>} logged
 * @param {string[]} attempts
 * @param {Key} key
 * @returns {{keys: Float64Array, cut: RowPiece[], begins: number[]}} `begins`: rows at
 *   which an attempt begins, or steps begin anew
 */
export function pieces(logged, attempts, key) {
	const steps = logged.step;
	const keys = placed(logged[key], attempts, key);
	/** @type {RowPiece[]} */
	let cut = [];
	/** @type {number[]} */
	const begins = [];
	for (let row = 0; row < keys.length; row++) {
		const isAnew = attempts[row] !== attempts[row - 1];
		const falls = steps[row] < steps[row - 1];
		if (isAnew || falls) begins.push(row);
		if (Number.isNaN(keys[row])) continue;
		if (key !== "time" && falls) cut = rewound(cut, steps, keys, steps[row]);
		const last = cut.at(-1);
		const ends =
			isAnew || (falls && key !== "time") || keys[row] < keys[row - 1];
		if (last && !ends && last.stop === row) last.stop = row + 1;
		else
			cut.push({
				start: row,
				stop: row + 1,
				kept: true,
				attempt: attempts[row],
			});
	}
	return { keys, cut, begins };
}

/**
 * A place for each row: where one has none, that of the row before.
 * @param {Float64Array} logged
 * @param {string[]} attempts
 * @param {Key} key
 */
function placed(logged, attempts, key) {
	if (key === "step") return logged;
	const keys = logged.slice();
	for (let row = 1; row < keys.length; row++) {
		if (attempts[row] !== attempts[row - 1]) continue;
		const before = keys[row - 1];
		if (Number.isNaN(keys[row]) || (key === "time" && keys[row] < before)) {
			keys[row] = before;
		}
	}
	return keys;
}

/**
 * Keeps nothing that stands at a step or later.
 * @param {RowPiece[]} cut
 * @param {Float64Array} steps
 * @param {Float64Array} keys
 * @param {number} step
 */
function rewound(cut, steps, keys, step) {
	const left = [...cut];
	for (let at = left.length - 1; at >= 0; at--) {
		const piece = left[at];
		if (!piece.kept) continue;
		const { start, stop } = piece;
		const middle =
			start + search(stop - start, (i) => steps[start + i] >= step);
		if (middle === stop) break;
		const lost = { ...piece, start: middle, kept: false };
		const next = left[at + 1];
		const joined = next && joins(lost, next, steps, keys);
		if (joined) lost.stop = next.stop;
		const kept = middle > start ? [{ ...piece, stop: middle }] : [];
		left.splice(at, joined ? 2 : 1, ...kept, lost);
		if (kept.length) break;
	}
	return left;
}

/**
 * Whether only what is kept has parted two neighbours.
 * @param {RowPiece} left
 * @param {RowPiece} right
 * @param {Float64Array} steps
 * @param {Float64Array} keys
 */
function joins({ stop, attempt }, right, steps, keys) {
	const rises = keys[stop] >= keys[stop - 1] && steps[stop] >= steps[stop - 1];
	return rises && stop === right.start && attempt === right.attempt;
}

/**
 * What the keys of some pieces span; null where there are none.
 * @param {Float64Array} keys
 * @param {RowPiece[]} cut
 * @returns {[number, number] | null}
 */
export function spanOf(keys, cut) {
	if (!cut.length) return null;
	const low = cut.reduce(
		(least, { start }) => Math.min(least, keys[start]),
		Infinity,
	);
	return [
		low,
		cut.reduce((most, { stop }) => Math.max(most, keys[stop - 1]), -Infinity),
	];
}
