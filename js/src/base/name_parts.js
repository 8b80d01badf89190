import { element } from "./dom.js";
import { halves } from "./names.js";

/**
 * A shown name as elements: of one that is shortened the end stays, however wide its
 * letters are.
 * @param {string} shown
 */
export function nameParts(shown) {
	const [begin, end] = halves(shown);
	return [
		element("span", "name-begin", begin),
		...(end ? [element("span", "name-end", end)] : []),
	];
}
