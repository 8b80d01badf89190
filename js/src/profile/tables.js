import { element } from "../base/dom.js";
import { WAITING } from "./requests.js";
import { select } from "./select.js";

/** @import { Overview, TablePage } from "../protocol" */
/** @import { Requests } from "./requests.js" */

/**
 * The tables: chosen, searched, sorted and paged by the kernel, shown here.
 * @param {Overview} overview
 * @param {Requests} requests
 */
export function tables({ tables }, requests) {
	if (!tables.length) return element("div", "");
	const asked = {
		name: tables[0],
		sort: "",
		descending: false,
		search: "",
		page: 0,
	};
	const search = element("input", "search");
	search.type = "search";
	search.placeholder = "text, or a number";
	search.ariaLabel = "Search in the table";
	const back = element("button", "", "\u2039");
	const next = element("button", "", "\u203a");
	back.ariaLabel = "Previous page";
	next.ariaLabel = "Next page";
	const where = element("span", "muted");
	const body = element("div", "table");
	body.tabIndex = 0;
	let turn = 0;

	/** @param {Partial<typeof asked>} change */
	async function ask(change) {
		Object.assign(asked, change);
		turn += 1;
		const mine = turn;
		where.textContent = WAITING;
		try {
			const { page } = await requests.table(asked);
			if (mine === turn) draw(page);
		} catch (error) {
			if (mine === turn) where.textContent = String(error);
		}
	}

	/** @param {TablePage} page */
	function draw(page) {
		asked.page = page.page;
		where.textContent = summary(page);
		back.disabled = page.page === 0;
		next.disabled = (page.page + 1) * page.size >= page.matching;
		body.replaceChildren(table(page));
	}

	/** @param {TablePage} page */
	function table({ columns, numeric, rows }) {
		const heads = columns.map((name, at) => head(name, numeric[at]));
		const lines = rows.map((row) => element("tr", "", ...row.map(cell)));
		/** @param {string} text @param {number} at */
		function cell(text, at) {
			const made = element("td", numeric[at] ? "number" : "", text);
			made.title = text;
			return made;
		}
		return element(
			"table",
			"",
			element("thead", "", element("tr", "", ...heads)),
			element("tbody", "", ...lines),
		);
	}

	/** @param {string} name @param {boolean} number */
	function head(name, number) {
		const sorted = asked.sort === name;
		const arrow = asked.descending ? " \u25be" : " \u25b4";
		const button = element("button", "", name + (sorted ? arrow : ""));
		button.addEventListener("click", () =>
			ask({
				sort: name,
				descending: sorted ? !asked.descending : number,
				page: 0,
			}),
		);
		const made = element("th", "", button);
		if (sorted) made.ariaSort = asked.descending ? "descending" : "ascending";
		return made;
	}

	const choice = select("Table", tables, (name) =>
		ask({ name, sort: "", descending: false, page: 0 }),
	);
	let typed = 0;
	search.addEventListener("input", () => {
		clearTimeout(typed);
		const go = () => ask({ search: search.value, page: 0 });
		typed = Number(setTimeout(go, 250));
	});
	back.addEventListener("click", () => ask({ page: asked.page - 1 }));
	next.addEventListener("click", () => ask({ page: asked.page + 1 }));
	ask({});
	const bar = element("div", "choices", choice, search, back, next, where);
	return element("div", "", bar, body);
}

/**
 * Says which rows are shown.
 * @param {TablePage} page
 */
export function summary({ matching, total, page, rows, size }) {
	if (!matching) return total ? `none of ${total} rows` : "no rows";
	const first = page * size + 1;
	const shown = `rows ${first} to ${first + rows.length - 1} of ${matching}`;
	return matching < total ? `${shown} found in ${total}` : shown;
}
