import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pageColours } from "./theme.js";

const STYLES = ["../style.css", "../profile/profile.css"].map((path) =>
	readFileSync(new URL(path, import.meta.url), "utf8"),
);

describe("pageColours", () => {
	it.each(
		/** @type {const} */ (["light", "dark", "contrast-light", "contrast-dark"]),
	)("has each colour that the style uses, in a %s theme", (kind) => {
		const used = STYLES.flatMap((style) => [
			...style.matchAll(/--mswidget-([a-z-]+)/g),
		]).map(([, name]) => name);
		expect([...new Set(used)].sort()).toEqual(
			Object.keys(pageColours(kind))
				.filter((name) => name !== "mark")
				.sort(),
		);
	});

	it("keeps what a theme of high contrast does not change", () => {
		expect(pageColours("contrast-dark").error).toBe(pageColours("dark").error);
		expect(pageColours("contrast-dark").text).not.toBe(
			pageColours("dark").text,
		);
	});
});
