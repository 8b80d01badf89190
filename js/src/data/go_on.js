import { Floats } from "../base/floats.js";
import { coarser } from "./coarser.js";

/** @import { Columns, Held } from "./extracts.js" */

/**
 * Takes in what is new of an extract, which may have larger buckets from now on.
 * @param {Held} held
 * @param {Held} news that goes on
 */
export function goOn(held, news) {
	const { end, level, nonfinite, left_out } = news.header;
	const levels = (level ?? 0) - (held.header.level ?? 0);
	if (levels > 0) {
		for (const piece of held.pieces)
			piece.columns = coarser(piece.columns, levels);
	}
	held.header = {
		...held.header,
		level,
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
