/** @import { AnyModel } from "@anywidget/types" */
/** @import { State } from "../protocol" */

/**
 * The page's share of Plotly's interface.
 * @typedef {{
 *   react(div: HTMLElement, data: object[], layout: object, config: object): Promise<unknown>,
 *   animate(div: HTMLElement, frame: object, options: object): Promise<unknown>,
 *   relayout(div: HTMLElement, layout: object): Promise<unknown>,
 *   purge(div: HTMLElement): void,
 *   Fx: {
 *     hover(div: HTMLElement, points: object, subplot: string, silent: boolean): void,
 *     unhover(div: HTMLElement): void,
 *   },
 * }} Plotly
 */

/** One a version. */
const keyOfPage = () => Symbol.for(`mswidget.plotly@${PLOTLY_VERSION}`);

/**
 * Plotly, loaded once a page.
 * @param {AnyModel<State>} model
 * @returns {Promise<Plotly>}
 */
export function loadPlotly(model) {
	const page = /** @type {Record<symbol, Promise<Plotly> | undefined>} */ (
		/** @type {unknown} */ (globalThis)
	);
	const key = keyOfPage();
	page[key] ??= fetchPlotly(model).catch((error) => {
		delete page[key];
		throw error;
	});
	return page[key];
}

/** @param {AnyModel<State>} model */
async function fetchPlotly(model) {
	const asset = await model.widget_manager.get_model(model.get("asset"));
	return unpackPlotly(asset.get("plotly_gz"));
}

/**
 * @param {DataView<ArrayBuffer>} packed
 * @returns {Promise<Plotly>}
 */
export async function unpackPlotly(packed) {
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
