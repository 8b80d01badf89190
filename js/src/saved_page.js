import { bytes, readEmbedded } from "./link/embedded.js";
import { Feed } from "./link/feed.js";
import { isReloadFrame, passOn, reload } from "./link/reload.js";
import { SavedSource } from "./link/saved.js";
import { mount } from "./page/view.js";

/** A page of its own: the widget, fed by what the page holds. */
function start() {
	const first = readEmbedded(document);
	const source = new SavedSource(first, bytes(document, "plotly"));
	const { signal } = new AbortController();
	mount(new Feed(source, signal), document.body, signal);
	if (first.page.every_s) reload(first, (embedded) => source.renew(embedded));
}

if (isReloadFrame()) passOn();
else start();
