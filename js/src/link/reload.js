import { readEmbedded } from "./embedded.js";

/** @import { Embedded } from "./embedded.js" */

const PASS = "#mswidget-pass";

/** A page that takes longer to load than so many periods is asked for again. */
const PATIENCE = 6;

/** This is a frame of the same page that only passes on what it holds. */
export const isReloadFrame = () => parent !== window && location.hash === PASS;

/** Passes on what this page holds; to a page of another site, nothing. */
export function passOn() {
	const embedded = readEmbedded(document);
	const target = location.protocol === "file:" ? "*" : location.origin;
	parent.postMessage(embedded, target, [embedded.numbers.buffer]);
}

/**
 * Reads this page's file again and again, until it was written for the last time.
 *
 * A frame does it, since a page of `file://` may fetch nothing.
 * @param {Embedded} first
 * @param {(embedded: Embedded) => void} take
 */
export function reload(first, take) {
	/** @type {HTMLIFrameElement | null} */
	let frame = null;
	let waited = 0;
	const timer = setInterval(() => {
		if (document.hidden || (frame && ++waited < PATIENCE)) return;
		frame?.remove();
		frame = open();
		waited = 0;
	}, first.page.every_s * 1000);
	addEventListener("message", ({ source, data }) => {
		if (!frame || source !== frame.contentWindow) return;
		// Rows are numbered anew by each process that writes the page.
		if (data.page.edition !== first.page.edition)
			return location.replace(fresh(""));
		frame.remove();
		frame = null;
		if (!data.page.every_s) clearInterval(timer);
		take(data);
	});
}

function open() {
	const frame = document.createElement("iframe");
	frame.hidden = true;
	frame.src = fresh(PASS);
	document.body.append(frame);
	return frame;
}

/**
 * This page's address, such that no cache answers: a server may know the time of a
 * file to the second only.
 * @param {string} hash
 */
function fresh(hash) {
	const address = new URL(location.href);
	address.searchParams.set("mswidget", `${Date.now()}`);
	address.hash = hash;
	return address.href;
}
