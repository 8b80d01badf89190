/** Names of metrics as they are shown; `mswidget/drawing/names.py` shows them alike. */

const DOTS = "…";
const BLANK = "␣";
/** Where a blank is not seen: at the ends, and beside another one. */
const UNSEEN = /^ +| +$|(?<= ) +/g;

/**
 * A name in which nothing is unseen: no control character, no odd blank.
 * @param {string} name
 */
export function visible(name) {
	const plain = name.replace(UNSEEN, (found) => BLANK.repeat(found.length));
	const safe = plain.replace(/(?! )[\p{C}\p{Z}]/gu, escaped);
	return safe || '""';
}

/** @param {string} letter */
function escaped(letter) {
	const code = letter.codePointAt(0) ?? 0;
	const [sign, size] =
		code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
	return `\\${sign}${code.toString(16).padStart(Number(size), "0")}`;
}

/**
 * How each name is shown, in about so many letters. Of a long one begin and end stay.
 * Those that would look the same are numbered.
 * @param {string[]} names
 * @param {number} room
 * @returns {(name: string) => string}
 */
export function shownNames(names, room) {
	const known = new Map(
		names.map((name) => [name, short(visible(name), room)]),
	);
	/** @type {Map<string, string[]>} */
	const alike = new Map();
	for (const [name, text] of known) {
		alike.set(text, [...(alike.get(text) ?? []), name]);
	}
	for (const [text, same] of alike) {
		if (same.length > 1) {
			same.forEach((name, i) => {
				known.set(name, numbered(text, i + 1));
			});
		}
	}
	return (name) => known.get(name) ?? short(visible(name), room);
}

/**
 * @param {string} text
 * @param {number} place
 */
function numbered(text, place) {
	const [begin, end] = halves(text);
	return `${begin}${DOTS}${place}${end || DOTS}`;
}

/**
 * A shown name before the dots of what is left out, and from them on.
 * @param {string} shown
 */
export function halves(shown) {
	const at = shown.indexOf(DOTS);
	return at < 0 ? [shown, ""] : [shown.slice(0, at), shown.slice(at)];
}

/**
 * @param {string} name
 * @param {number} room
 */
function short(name, room) {
	const letters = [...name];
	if (letters.length <= room) return name;
	const tail = Math.floor((room * 2) / 5);
	const begin = letters.slice(0, room - 1 - tail).join("");
	return `${begin}${DOTS}${letters.slice(-tail).join("")}`;
}
