import { byteLength, decode, decodeSummaries } from "../data/extracts.js";
import { loadPlotly } from "./plotly.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { Start } from "../data/store.js" */
/** @import { Bundle, Down, Kept, State, Up } from "../protocol" */
/** @import { Listener, Source } from "./source.js" */

const DEAD = ["dead", "terminating", "autorestarting", "restarting"];
const TRAITS = /** @type {const} */ ([
	"head",
	"extents",
	"seq",
	"kept_1",
	"kept_2",
	"kept_3",
]);
const NOTHING = new DataView(new ArrayBuffer(0));

/**
 * The kernel that a widget's model talks to.
 * @implements {Source}
 */
export class Kernel {
	/** @param {AnyModel<State>} model */
	constructor(model) {
		this.model = model;
		this.closed = false;
	}

	get companion() {
		return this.model.get("companion");
	}

	/** The kernel of this run has ended or forgotten it. */
	get gone() {
		return this.closed || DEAD.includes(kernelStatus(this.model));
	}

	get waits() {
		return this.gone
			? "not here, and the kernel is gone"
			: "waits for the kernel";
	}

	plotly() {
		return loadPlotly(this.model);
	}

	/** @param {Up} ask */
	send(ask) {
		this.model.send(ask);
	}

	/** @returns {Start} */
	start() {
		const [head, extents, seq, ...parts] = TRAITS.map((name) =>
			this.model.get(name),
		);
		return {
			head: /** @type {State["head"]} */ (head),
			extents: /** @type {State["extents"]} */ (extents),
			seq: /** @type {number} */ (seq),
			held: parts.flatMap((part) => unpackKept(/** @type {Kept} */ (part))),
		};
	}

	/**
	 * @param {Listener} listener
	 * @param {AbortSignal} signal
	 */
	listen(listener, signal) {
		const close = () => {
			this.closed = true;
			listener.closed();
		};
		/** @type {[string, (...args: any[]) => void][]} */
		const handlers = [
			[
				"msg:custom",
				(message, buffers) => this.#hear(message, buffers ?? [], listener),
			],
			...TRAITS.map(
				(name) =>
					/** @type {[string, () => void]} */ ([
						`change:${name}`,
						() => listener.start(this.start()),
					]),
			),
			["comm:close", close],
			["comm_live_update", close],
		];
		for (const [event, handler] of handlers) {
			this.model.on(event, handler);
			signal.addEventListener("abort", () => this.model.off(event, handler));
		}
	}

	/**
	 * @param {Down} message
	 * @param {DataView[]} buffers
	 * @param {Listener} listener
	 */
	#hear(message, buffers, listener) {
		this.closed = false;
		if (message.kind === "ack") listener.ack(message);
		else unpack(message, buffers, listener);
	}
}

/** @param {Kept} part which may be empty */
function unpackKept({ extracts = [], buffer = NOTHING }) {
	// A notebook that was saved by somebody else may lack the numbers.
	const fits = byteLength(extracts) === buffer.byteLength;
	return fits ? decode(extracts, buffer) : [];
}

/**
 * @param {Bundle} bundle
 * @param {DataView[]} buffers one for each message with numbers
 * @param {Listener} listener
 */
function unpack({ messages }, buffers, listener) {
	let at = 0;
	for (const message of messages) {
		if (message.kind === "news") {
			listener.news(message);
			continue;
		}
		const buffer = buffers[at++] ?? NOTHING;
		if (message.kind === "view")
			listener.view(message, decode(message.extracts, buffer));
		else listener.summaries(message, decodeSummaries(buffer));
	}
}

/**
 * JupyterLab's and VS Code's managers hold the kernel; others may not.
 * @param {AnyModel<State>} model
 */
function kernelStatus(model) {
	const manager = /** @type {any} */ (model.widget_manager);
	return manager?.kernel?.status ?? "";
}
