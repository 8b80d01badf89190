import { element, order, write } from "../base/dom.js";
import { colours } from "../base/theme.js";
import { shownTracks } from "../data/tracks.js";
import { groups } from "./track_rows.js";

/** @import { Choice, Choose } from "../data/choice.js" */
/** @import { Feed } from "../link/feed.js" */
/** @import { RunGroup, TrackRow } from "./track_rows.js" */

/** @typedef {{root: HTMLElement, update(row: TrackRow): void}} TrackLine */
/** @typedef {(ids: string[], shown: boolean) => void} Show */

/**
 * Runs and ranks: what each looks like, how far it is, and whether it is drawn.
 * @param {Feed} feed
 * @param {Choice} choice
 * @param {() => void} changed
 */
export function trackList(feed, choice, changed) {
	const shown = element("span", "muted");
	const list = element("div", "track-list");
	const root = element(
		"details",
		"tracks",
		element("summary", "summary", "runs and ranks ", shown),
		list,
	);
	root.open = true;
	/** @type {Map<string, ReturnType<typeof runGroup>>} */
	const held = new Map();

	/** @type {Show} */
	function show(ids, shown) {
		const chosen = Object.fromEntries(ids.map((id) => [id, shown]));
		choice.tracks = { ...choice.tracks, ...chosen };
		feed.guard(() => askForMissing(feed, choice));
		changed();
	}

	function update() {
		const { head, extents, skew } = feed.store;
		root.hidden = head.tracks.length < 2;
		if (root.hidden) return;
		const drawn = shownTracks(head, choice).length;
		write(shown, `${drawn} of ${head.tracks.length} shown`);
		const now_s = Date.now() / 1000 - (skew ?? 0);
		const here = new Set(extents.map(({ track }) => track));
		const sources = { held: here, asks: asks(feed) };
		const wanted = groups(head, choice, now_s, colours(root), sources);
		for (const group of wanted) {
			const own = held.get(group.run) ?? runGroup(group, show, changed);
			held.set(group.run, own);
			own.update(group, wanted.length > 1);
		}
		order(
			list,
			[...held.values()].map(({ root }) => root),
		);
	}
	return { root, show, update };
}

/**
 * Whether somebody is there to send what is not here.
 * @param {Feed} feed
 */
const asks = ({ store, gone }) => store.head.status.controls && !gone;

/**
 * Rows that are not sent yet are asked for; what is sent to others goes on.
 * @param {Feed} feed
 * @param {Choice} choice
 */
function askForMissing(feed, choice) {
	const { head } = feed.store;
	const wanted = shownTracks(head, choice);
	if (!asks(feed) || wanted.every(({ shown }) => shown)) return;
	const sent = head.tracks.filter(({ shown }) => shown);
	feed.askTracks([...new Set([...sent, ...wanted].map(({ id }) => id))]);
}

/**
 * The rows of a folded run are made when it is unfolded.
 * @param {RunGroup} group
 * @param {Show} show
 * @param {() => void} unfolded
 */
function runGroup({ run, folded }, show, unfolded) {
	const lines = element("div", "track-rows");
	lines.setAttribute("role", "group");
	lines.setAttribute("aria-label", `tracks of ${run}`);
	const said = element("span", "muted");
	const details = element("details", "track-run");
	details.open = !folded;
	details.addEventListener("toggle", unfolded);
	const box = checkbox(`all of ${run}`, (checked) => {
		show(checked ? first : every, checked);
	});
	const swatch = element("span", "swatch");
	const name = element("strong", "track-name", run);
	const summary = element("summary", "summary", box, swatch, name, said);
	details.append(summary, lines);
	/** @type {string[]} */
	let every = [];
	/** @type {string[]} */
	let first = [];
	/** @type {Map<string, TrackLine>} */
	const held = new Map();

	/**
	 * @param {RunGroup} group
	 * @param {boolean} several runs are in the list
	 */
	function update(group, several) {
		write(said, group.state);
		const here = group.rows.filter(({ here }) => here);
		every = here.flatMap(({ ids }) => ids);
		box.disabled = !here.length;
		first = group.first;
		box.checked = group.rows.some(({ shown }) => shown);
		box.indeterminate = box.checked && !group.rows.every(({ shown }) => shown);
		swatch.hidden = !several;
		swatch.style.setProperty("--track", group.rows[0].look.color);
		const alone = group.rows.length === 1;
		details.toggleAttribute("data-alone", alone);
		if (!details.open && !alone) return;
		details.open = true;
		const shown = group.rows.map((row) => {
			const key = row.ids.join(" ");
			const line = held.get(key) ?? trackLine(row, show);
			held.set(key, line);
			line.update(row);
			return line.root;
		});
		order(lines, shown);
	}
	return { root: details, update };
}

/**
 * @param {TrackRow} row
 * @param {Show} show
 * @returns {TrackLine}
 */
function trackLine({ ids, label, band }, show) {
	const box = checkbox(label, (checked) => show(ids, checked));
	const swatch = element("span", "swatch");
	swatch.toggleAttribute("data-band", band);
	const state = element("span", "track-state");
	const name = element("span", "track-label", label);
	const root = element("label", "track", box, swatch, name, state);

	/** @param {TrackRow} row */
	function update(row) {
		box.checked = row.shown;
		box.disabled = !row.here;
		write(name, row.label);
		write(state, row.state);
		box.setAttribute("aria-label", row.label);
		box.setAttribute("aria-description", row.state);
		root.title = `${row.label}: ${row.state}`;
		state.toggleAttribute("data-trouble", row.trouble);
		swatch.style.setProperty("--track", row.look.color);
		swatch.dataset.dash = row.look.dash;
	}
	return { root, update };
}

/**
 * @param {string} label
 * @param {(checked: boolean) => void} changed
 */
function checkbox(label, changed) {
	const box = element("input", "track-box");
	box.type = "checkbox";
	box.setAttribute("aria-label", label);
	box.addEventListener("change", () => changed(box.checked));
	return box;
}
