import { count } from "../base/format.js";

/** @import { Curve } from "../curve/curve.js" */

/**
 * How much of the data is drawn, in words.
 * @param {Curve[]} curves
 * @param {boolean} exact whether each row of the run is here
 */
export function coverage(curves, exact) {
	/** @param {(curve: Curve) => number} of */
	const sum = (of) => curves.reduce((n, curve) => n + of(curve), 0);
	const [shown, total] = [sum((c) => c.drawn), sum((c) => c.total)];
	if (!total) return "";
	const replaced = sum((curve) => curve.replaced);
	const older = `${count(replaced)} older left out: steps were logged again`;
	const averaged = curves.every((curve) => curve.averaged);
	return [
		showing(curves, shown, total, exact),
		replaced ? older : "",
		averaged ? "" : UNSMOOTHED,
	]
		.filter(Boolean)
		.join(" · ");
}

const UNSMOOTHED =
	"smoothed over the rows that are here; the exact average needs all";

/**
 * @param {Curve[]} curves
 * @param {number} shown
 * @param {number} total
 * @param {boolean} exact
 */
function showing(curves, shown, total, exact) {
	const points = `showing ${count(shown)} of ${count(total)} points`;
	const reduced = curves.reduce((n, curve) => n + curve.reduced, 0);
	if (reduced) {
		const here =
			shown < total
				? `${points} that are here`
				: `showing ${count(shown)} points`;
		const which = reduced < shown ? `${count(reduced)} of them ` : "";
		return `${here}, ${which}an envelope: others are not here`;
	}
	if (shown === total) {
		return exact
			? `${points} exactly`
			: `${points} that are here; rows are missing`;
	}
	const each = Math.round((2 * total) / shown);
	const thinned = `${points}: lowest and highest of about ${count(each)} each`;
	return exact ? thinned : `${thinned}; rows are missing`;
}
