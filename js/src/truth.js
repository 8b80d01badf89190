import { count } from "./format.js";

/** @import { Curve } from "./curve.js" */

/**
 * How much of the data is drawn, in words.
 * @param {Curve[]} curves
 */
export function truth(curves) {
	/** @param {(curve: Curve) => number} of */
	const sum = (of) => curves.reduce((n, curve) => n + of(curve), 0);
	const [shown, total] = [sum(({ x }) => x.length), sum((c) => c.total)];
	if (!total) return "";
	const replaced = sum((curve) => curve.replaced);
	const rest = `${count(replaced)} older left out: steps were logged again`;
	return [drawn(curves, shown, total), replaced ? rest : ""]
		.filter(Boolean)
		.join(" · ");
}

/**
 * @param {Curve[]} curves
 * @param {number} shown
 * @param {number} total
 */
function drawn(curves, shown, total) {
	const drawn = `showing ${count(shown)} of ${count(total)} points`;
	if (curves.some(({ reduced }) => reduced)) {
		return `${drawn}: envelope, where the rest is not here`;
	}
	if (shown === total) return `${drawn} exactly`;
	const each = Math.round((2 * total) / shown);
	return `${drawn}: lowest and highest of about ${count(each)} each`;
}
