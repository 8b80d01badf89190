import { element } from "../base/dom.js";
import { followTheme } from "../base/theme.js";
import { Board } from "../charts/board.js";
import { keepChoice, restoredChoice } from "../data/choice.js";
import { bar } from "./bar.js";
import { controls } from "./controls/index.js";
import { coverage } from "./coverage.js";
import { Pause } from "./pause.js";
import { trackList } from "./track_list.js";
import { values } from "./values.js";

/** @import { Feed } from "../link/feed.js" */
/** @import { Plotly } from "../link/plotly.js" */
/** @import { Goal } from "./messages.js" */

/** At most ten pictures a second, and three quarters of the page's time. */
const PERIOD_MS = 100;

/**
 * Draws a run into `el` until `signal` ends it.
 * @param {Feed} feed
 * @param {HTMLElement} el
 * @param {AbortSignal} signal
 */
export function mount(feed, el, signal) {
	// A page by itself names no path.
	const { name, path } = feed.store.head.run;
	const run = `${name} ${path}`;
	const choice = restoredChoice(run);
	const request = schedule((plotly) => draw(plotly), feed, signal);
	const pause = new Pause();
	/** The reader wants another picture. */
	const changed = () => {
		pause.changes++;
		request();
	};
	const tracks = trackList(feed, choice, changed);
	const row = controls(choice, changed);
	const board = new Board(feed.store, choice, changed, signal);
	/** @param {Goal} goal */
	function go({ tracks: ids, metric, alert }) {
		if (ids) tracks.show(ids, true);
		board.seek(alert?.metric ?? metric ?? "", alert);
	}
	const top = bar(feed, choice, pause, request, (goal) =>
		feed.guard(() => go(goal)),
	);
	const news = values(feed.store);
	const root = element("div", "root", top.root, news.root, row.root);
	root.append(board.lead, row.coverage, tracks.root, board.rest);
	keepKeys(root);
	el.append(companionStyle(feed.source.companion), root);

	/** @param {Plotly | null} plotly */
	async function draw(plotly) {
		const { store, source } = feed;
		const { head } = store;
		keepChoice(run, choice);
		top.update();
		news.update();
		tracks.update();
		root.dataset.phase = head.status.phase;
		if (pause.holds) return feed.look({ ...board.look(), wants: [] });
		const { changes } = pause;
		board.arrange();
		const model = board.measure(root, source.waits);
		feed.look(board.look());
		const { isWhole } = feed;
		const waits = plotly && model && (await board.draw(plotly, model));
		if (waits) request();
		const extent = model?.drawnTracks.main.extent;
		pause.drew(changes, isWhole && !waits, extent?.step?.[1] ?? null);
		row.update(coverage(board.seen, source.waits), board.axes());
		Object.assign(root.dataset, {
			rows: String(extent?.rows ?? 0),
			whole: String(isWhole),
			exact: String(board.isExact),
		});
	}

	followTheme(root, changed, signal);
	let width = 0;
	const resized = new ResizeObserver(([{ contentRect }]) => {
		// A word more in the header makes it higher.
		if (contentRect.width === width) return request();
		width = contentRect.width;
		changed();
	});
	resized.observe(root);
	feed.watch(request, signal);
	/** What time alone changes: how long a rank is silent, a kernel that is gone. */
	function age() {
		top.update();
		tracks.update();
	}
	const clock = setInterval(() => feed.guard(age), 500);
	signal.addEventListener("abort", () => {
		clearInterval(clock);
		resized.disconnect();
	});
	request();
}

/**
 * What is typed here is not meant for the notebook, whose keys delete and move cells;
 * Escape gives it the focus back.
 * @param {HTMLElement} root
 */
function keepKeys(root) {
	// JupyterLab hears keys before we do, and looks for this.
	root.dataset.lmSuppressShortcuts = "true";
	root.addEventListener("keydown", (event) => {
		if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
		if (event.key !== "Escape") return;
		const inside = /** @type {HTMLElement} */ (document.activeElement);
		inside.blur();
		/** @type {HTMLElement | null | undefined} */
		const host = root.parentElement?.closest("[tabindex]");
		host?.focus();
	});
}

/**
 * Calls `draw` on animation frames, one at a time, however often it is asked.
 * @param {(plotly: Plotly | null) => Promise<void>} draw
 * @param {Feed} feed
 * @param {AbortSignal} signal
 */
function schedule(draw, feed, signal) {
	/** @type {Plotly | null} */
	let plotly = null;
	let wanted = false;
	let running = false;
	function request() {
		wanted = true;
		if (running || signal.aborted) return;
		running = true;
		requestAnimationFrame(frame);
	}
	async function frame() {
		wanted = false;
		const began = performance.now();
		await draw(plotly).catch((error) => feed.fail(error));
		const spent = performance.now() - began;
		setTimeout(
			() => {
				running = false;
				if (wanted) request();
			},
			Math.max(PERIOD_MS - spent, spent / 3),
		);
	}
	feed.source.plotly().then(
		(loaded) => {
			plotly = loaded;
			request();
		},
		(error) => feed.fail(error),
	);
	return request;
}

/**
 * A live view hides the static picture of the same run.
 * @param {string} companion sanitised by the kernel
 */
function companionStyle(companion) {
	const style = document.createElement("style");
	if (companion) style.textContent = `.${companion}{display:none}`;
	return style;
}
