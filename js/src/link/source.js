/** @import { Held } from "../data/extracts.js" */
/** @import { Start } from "../data/store.js" */
/** @import { Ack, News, Summaries, Up, View } from "../protocol" */
/** @import { Plotly } from "./plotly.js" */

/**
 * What a source tells. `summed` has the numbers of each metric that was asked.
 * @typedef {{
 *   start(start: Start): void,
 *   news(news: News): void,
 *   view(view: Pick<View, "id" | "page" | "seq" | "whole" | "ends">, extracts: Held[]): void,
 *   summaries(summaries: Pick<Summaries, "id" | "page">, summed: number[][]): void,
 *   ack(ack: Ack): void,
 *   closed(): void,
 * }} Listener
 *
 * Where a page has its data from: a kernel, or itself. `companion` is the CSS class of
 * the static picture that the view hides; `waits` says of what is not here why that is;
 * `gone`: nobody answers any more.
 * @typedef {{
 *   start(): Start,
 *   listen(listener: Listener, signal: AbortSignal): void,
 *   send(ask: Up): void,
 *   plotly(): Promise<Plotly>,
 *   readonly companion: string,
 *   readonly waits: string,
 *   readonly gone: boolean,
 * }} Source
 */

export {};
