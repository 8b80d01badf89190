import { element, svg } from "../base/dom.js";
import { count } from "../base/format.js";
import { draw, joined, outline, SIZE, sketch } from "../draw/sketch.js";
import { dragged, gripOf, keyed } from "./brush.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { Choice, Choose } from "../data/choice.js" */
/** @import { Outline } from "../draw/sketch.js" */
/** @import { Range } from "./brush.js" */

const MOST_POINTS = 4000;
/** So near to an edge of the window, as a share of all, is on it. */
const NEAR = 1 / 100;
/** How many of the newest steps can be followed. */
const FOLLOWED = [100, 1000, 10_000, 100_000];

/** The whole run in small, and in it a window: what the charts show. */
export class Overview {
	/**
	 * @param {Choice} choice
	 * @param {Choose} choose
	 */
	constructor(choice, choose) {
		this.choice = choice;
		this.choose = choose;
		/** @type {Range} */
		this.all = [0, 1];
		/** @type {Range | null} */
		this.window = null;
		/** @type {Outline} */
		this.outline = { x: [], low: [], high: [] };
		this.of = "";
		this.line = svg("path", { class: "mswidget-sketch" });
		this.lit = svg("rect", { class: "mswidget-window", y: 0, ...SIZE });
		const view = `0 0 ${SIZE.width} ${SIZE.height}`;
		const drawn = svg(
			"svg",
			{ viewBox: view, preserveAspectRatio: "none", "aria-hidden": "true" },
			...[this.lit, this.line],
		);
		this.track = element("div", "overview-track");
		this.track.append(drawn);
		this.track.tabIndex = 0;
		this.track.setAttribute("role", "slider");
		this.track.setAttribute("aria-label", "part of the run that is shown");
		this.track.title =
			"drag to zoom, drag the window to pan, double click for all; keys: arrows, + and −";
		this.select = element(
			"select",
			"follow",
			new Option("all steps", "0"),
			...FOLLOWED.map((n) => new Option(`last ${count(n)}`, String(n))),
			new Option("a part", "part", false, false),
		);
		this.select.setAttribute("aria-label", "steps that are shown");
		this.root = element("div", "overview", this.track, this.select);
		this.#listen();
	}

	/**
	 * @param {string} of what it is, of which run and axis
	 * @param {Curve} curve what there is of the window
	 * @param {Range} all what there is on the axis
	 * @param {Range | null} window
	 * @param {string} color
	 */
	update(of, curve, all, window, color) {
		const isNew = of !== this.of || window === null;
		this.of = of;
		const before = isNew ? { x: [], low: [], high: [] } : this.outline;
		const behind = outline(curve, before.x.at(-1));
		this.outline = joined(before, behind, MOST_POINTS);
		Object.assign(this, { all, window });
		draw(this.line, sketch(this.outline, all), color);
		const [from, to] = (window ?? all).map((x) => this.#share(x));
		this.lit.setAttribute("x", String(from * SIZE.width));
		this.lit.setAttribute("width", String((to - from) * SIZE.width));
		this.track.toggleAttribute("data-all", window === null);
		const { follow } = this.choice;
		this.select.value = window && !follow ? "part" : String(follow);
		this.track.setAttribute("aria-valuenow", String(Math.round(100 * to)));
		this.track.setAttribute(
			"aria-valuetext",
			window ? `${Math.round(100 * from)} to ${Math.round(100 * to)} %` : "all",
		);
	}

	/** @param {number} x */
	#share(x) {
		const [first, last] = this.all;
		return Math.min(Math.max((x - first) / (last - first), 0), 1);
	}

	/** @param {PointerEvent} event */
	#place({ clientX }) {
		const { left, width } = this.track.getBoundingClientRect();
		const [first, last] = this.all;
		return first + ((clientX - left) / width) * (last - first);
	}

	#listen() {
		const { track, select } = this;
		/** @param {Range | null} range */
		const show = (range) => {
			const zoomed = this.choice.zoomed + Number(range === null);
			this.choose({ range, follow: 0, zoomed });
		};
		track.addEventListener("pointerdown", (down) => {
			if (down.button) return;
			const { window, all } = this;
			const start = this.#place(down);
			const grip = gripOf(start, window, (all[1] - all[0]) * NEAR);
			track.setPointerCapture(down.pointerId);
			/** @param {PointerEvent} move */
			const drag = (move) =>
				show(dragged(grip, window, start, this.#place(move), all));
			track.onpointermove = drag;
			track.onlostpointercapture = () => {
				track.onpointermove = null;
			};
		});
		track.addEventListener("dblclick", () => show(null));
		track.addEventListener("keydown", (event) => {
			const range = keyed(event.key, this.window, this.all);
			if (range === undefined) return;
			event.preventDefault();
			show(range);
		});
		select.addEventListener("change", () => {
			const follow = Number(select.value);
			if (Number.isNaN(follow)) return;
			const zoomed = this.choice.zoomed + 1;
			this.choose({ range: null, follow, zoomed });
		});
	}
}
