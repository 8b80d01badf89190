/** @import { SavedPage } from "../protocol" */

/** What `mswidget.widget.html_page` wrote. @typedef {{page: SavedPage, numbers: DataView}} Embedded */

/**
 * @param {Document} document
 * @returns {Embedded}
 */
export const readEmbedded = (document) => ({
	page: JSON.parse(text(document, "state")),
	numbers: bytes(document, "numbers"),
});

/**
 * @param {Document} document
 * @param {string} name
 */
export function bytes(document, name) {
	const coded = atob(text(document, name));
	const numbers = new Uint8Array(coded.length);
	for (let i = 0; i < coded.length; i++) numbers[i] = coded.charCodeAt(i);
	return new DataView(numbers.buffer);
}

/**
 * @param {Document} document
 * @param {string} name
 */
const text = (document, name) =>
	document.getElementById(`mswidget-${name}`)?.textContent ?? "";
