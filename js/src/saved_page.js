import { bytes, EmbeddedModel, readEmbedded } from "./link/embedded.js";
import { Feed } from "./link/feed.js";
import { isReloadFrame, passOn, reload } from "./link/reload.js";
import { mount } from "./page/view.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { State } from "./protocol" */

/** A page of its own: the widget, fed by what the page holds. */
function start() {
	const first = readEmbedded(document);
	const embedded = new EmbeddedModel(first.state, bytes(document, "plotly"));
	const model = /** @type {AnyModel<State>} */ (
		/** @type {unknown} */ (embedded)
	);
	const { signal } = new AbortController();
	mount(new Feed(model, signal), document.body, signal);
	embedded.add(first.beside);
	if (!first.every_s) return;
	reload(first, ({ state, beside }) => {
		embedded.set(state);
		embedded.add(beside);
	});
}

if (isReloadFrame()) passOn();
else start();
