import { Feed } from "./link/feed.js";
import { isPassing, pass, renew } from "./link/renew.js";
import { bytes, Still, written } from "./link/still.js";
import { mount } from "./page/view.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { State } from "./protocol" */

/** A page of its own: the widget, fed by what the page holds. */
function start() {
	const first = written(document);
	const still = new Still(first.state, bytes(document, "plotly"));
	const model = /** @type {AnyModel<State>} */ (/** @type {unknown} */ (still));
	const { signal } = new AbortController();
	mount(new Feed(model, signal), document.body, signal);
	still.add(first.beside);
	if (!first.every_s) return;
	renew(first, ({ state, beside }) => {
		still.set(state);
		still.add(beside);
	});
}

if (isPassing()) pass();
else start();
