/** @import { AnyModel } from "@anywidget/types" */
/** @import { State } from "../protocol" */

/**
 * The page's share of Plotly's interface.
 * @typedef {{
 *   react(div: HTMLElement, data: object[], layout: object, config: object): Promise<unknown>,
 *   purge(div: HTMLElement): void,
 *   Fx: {
 *     hover(div: HTMLElement, points: object, subplot: string, silent: boolean): void,
 *     unhover(div: HTMLElement): void,
 *   },
 * }} Plotly
 */

const KEY = Symbol.for(`mswidget.plotly@${PLOTLY_VERSION}`);

/**
 * Plotly, loaded once a page. A page without a kernel sets the promise itself.
 * @param {AnyModel<State>} model
 * @returns {Promise<Plotly>}
 */
export function loadPlotly(model) {
	const page = /** @type {Record<symbol, Promise<Plotly> | undefined>} */ (
		/** @type {unknown} */ (globalThis)
	);
	page[KEY] ??= fetchPlotly(model).catch((error) => {
		delete page[KEY];
		throw error;
	});
	return page[KEY];
}

/** @param {AnyModel<State>} model */
async function fetchPlotly(model) {
	const asset = await model.widget_manager.get_model(model.get("asset"));
	const packed = /** @type {DataView<ArrayBuffer>} */ (asset.get("plotly_gz"));
	const stream = new Blob([packed])
		.stream()
		.pipeThrough(new DecompressionStream("gzip"));
	const code = await new Response(stream).blob();
	const url = URL.createObjectURL(
		new Blob([code], { type: "text/javascript" }),
	);
	try {
		return (await import(url)).default;
	} finally {
		URL.revokeObjectURL(url);
	}
}
