import { Feed } from "./link/feed.js";
import { Kernel } from "./link/kernel.js";
import { mount } from "./page/view.js";

/** @import { AnyWidget } from "@anywidget/types" */
/** @import { State } from "./protocol" */

/** @type {() => AnyWidget<State>} one call a model */
export default () => {
	/** @type {Feed} */
	let feed;
	return {
		initialize({ model, signal }) {
			feed = new Feed(new Kernel(model), signal);
		},
		render({ el, signal }) {
			mount(feed, el, signal);
		},
	};
};
