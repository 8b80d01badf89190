import { Feed } from "./feed.js";
import { isPassing, pass, renew } from "./renew.js";
import { bytes, Still, written } from "./still.js";
import { mount } from "./view.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { State } from "./protocol" */

/** A page of its own: the widget, fed by what the page holds. */
function start() {
	const first = written(document);
	const still = new Still(first.state, bytes(document, "plotly"));
	const model = /** @type {AnyModel<State>} */ (/** @type {unknown} */ (still));
	const { signal } = new AbortController();
	mount(new Feed(model, signal), document.body, signal);
	if (first.every_s) renew(first, (state) => still.set(state));
}

if (isPassing()) pass();
else start();
