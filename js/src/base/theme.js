import PALETTES from "../../../mswidget/drawing/palette.json";

/**
 * The colours of the page; curves have those of the palette.
 * @typedef {{
 *   text: string, muted: string, grid: string, error: string, mark: string,
 *   background: string, font: string, palette: string[],
 * }} Theme
 */

/** VS Code's kinds; its `--jp-*` variables are those of the light theme always. */
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
 * @returns {[string, string]}
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

/**
 * The colours for Plotly, which takes no CSS variables.
 * @param {HTMLElement} root
 * @returns {Theme}
 */
export function colours(root) {
	const style = getComputedStyle(root);
	/** @param {string} name */
	const read = (name) => style.getPropertyValue(`--mswidget-${name}`).trim();
	const isDark = root.dataset.theme?.endsWith("dark");
	return {
		text: style.color,
		background: style.backgroundColor,
		font: style.fontFamily,
		muted: read("muted"),
		grid: read("grid"),
		error: read("error"),
		mark: read("mark"),
		palette: isDark ? PALETTES.dark : PALETTES.light,
	};
}
