import PALETTE from "../../../mswidget/drawing/palette.json";

/**
 * The colours for Plotly; curves have those of `palette`.
 * @typedef {{
 *   text: string, muted: string, grid: string, error: string, mark: string,
 *   background: string, font: string, palette: string[],
 * }} Theme
 *
 * The kinds of themes. @typedef {keyof typeof PALETTE.page} Kind
 */

/**
 * VS Code's kinds; its `--jp-*` variables are those of the light theme always.
 * @type {Map<string, Kind>}
 */
const VSCODE = new Map([
	["vscode-light", "light"],
	["vscode-dark", "dark"],
	["vscode-high-contrast", "contrast-dark"],
	["vscode-high-contrast-light", "contrast-light"],
]);

const ATTRIBUTES = [
	"data-jp-theme-light",
	"data-jp-theme-name",
	"data-vscode-theme-kind",
	"data-vscode-theme-id",
	"class",
];

/**
 * Keeps `root` in the host's theme.
 * @param {HTMLElement} root
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
export function followTheme(root, changed, signal) {
	const update = () => {
		const [host, kind] = hostTheme(document.body.dataset);
		if (root.dataset.theme === kind && root.dataset.host === host) return;
		Object.assign(root.dataset, { theme: kind, host });
		for (const [name, colour] of Object.entries(pageColours(kind)))
			root.style.setProperty(`--mswidget-${name}`, colour);
		changed();
		// The host may load the theme's variables after it has named the theme.
		setTimeout(changed, 500);
	};
	const observer = new MutationObserver(update);
	const options = { attributes: true, attributeFilter: ATTRIBUTES };
	observer.observe(document.body, options);
	observer.observe(document.documentElement, options);
	const system = matchMedia("(prefers-color-scheme: dark)");
	system.addEventListener("change", update, { signal });
	signal.addEventListener("abort", () => observer.disconnect());
	update();
}

/**
 * Which host the page is, and the kind of its theme.
 * @param {DOMStringMap} body
 * @returns {[string, Kind]}
 */
function hostTheme({ vscodeThemeKind, jpThemeLight }) {
	if (vscodeThemeKind)
		return ["vscode", VSCODE.get(vscodeThemeKind) ?? "light"];
	if (jpThemeLight)
		return ["jupyter", jpThemeLight === "false" ? "dark" : "light"];
	return ["page", pageIsDark() ? "dark" : "light"];
}

function pageIsDark() {
	const painted = getComputedStyle(document.body).backgroundColor;
	const [red, green, blue, alpha = 1] = (painted.match(/[\d.]+/g) ?? []).map(
		Number,
	);
	if (alpha === 0 || blue === undefined) {
		return matchMedia("(prefers-color-scheme: dark)").matches;
	}
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}

/** @param {Kind} kind */
const shade = (kind) => (kind.endsWith("dark") ? "dark" : "light");

/**
 * What style.css knows as `--mswidget-<name>`.
 * @param {Kind} kind
 * @returns {Record<string, string>}
 */
export const pageColours = (kind) => ({
	...PALETTE.page[shade(kind)],
	accent: PALETTE.curves[shade(kind)][0],
	...PALETTE.page[kind],
});

/**
 * The colours of the theme that `followTheme` keeps around an element, for Plotly: it
 * takes no CSS variables.
 * @param {HTMLElement} inside
 * @returns {Theme}
 */
export function colours(inside) {
	const style = getComputedStyle(inside);
	/** @type {HTMLElement | null} */
	const root = inside.closest("[data-theme]");
	const kind = /** @type {Kind} */ (root?.dataset.theme ?? "light");
	const { muted, grid, error, mark } = pageColours(kind);
	return {
		text: style.color,
		background: style.backgroundColor,
		font: style.fontFamily,
		muted,
		grid,
		error,
		mark,
		palette: PALETTE.curves[shade(kind)],
	};
}
