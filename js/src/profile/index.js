import { element } from "../base/dom.js";
import { followTheme } from "../base/theme.js";
import { pictures } from "./pictures.js";
import { Requests } from "./requests.js";
import { tables } from "./tables.js";

/** @import { AnyWidget } from "@anywidget/types" */
/** @import { Overview, ProfileState } from "../protocol" */

/** @type {() => AnyWidget<ProfileState>} one call a model */
export default () => ({
	render({ model, el, signal }) {
		const overview = model.get("overview");
		const requests = new Requests(model, signal);
		const root = element("div", "root mswidget-profile");
		const drawn = pictures(model, overview, requests, root, signal);
		root.append(
			element("h2", "", `Profile ${overview.path}`),
			findings(overview),
			...drawn.elements,
			tables(overview, requests),
			report(overview),
		);
		el.append(companionStyle(model.get("companion")), root);
		followTheme(root, drawn.redraw, signal);
	},
});

/** @param {Overview} overview */
function findings({ findings }) {
	if (!findings.length) return element("p", "muted", "No findings.");
	const items = findings.map(({ level, title, advice }) => {
		const item = element("li", "", element("b", "", title), ` ${advice}`);
		item.dataset.level = level;
		return item;
	});
	return element("ul", "findings", ...items);
}

/** @param {Overview} overview */
function report({ report }) {
	const title = element("summary", "", "What the profile holds");
	return element("details", "report", title, element("pre", "", report));
}

/**
 * Hides the static summary while the live view is there.
 * @param {string} companion
 */
function companionStyle(companion) {
	const style = document.createElement("style");
	style.textContent = `.${companion}{display:none}`;
	return style;
}
