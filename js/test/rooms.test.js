import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";

/** What lives in each folder of `src`; each imports from those before it only. */
const ROOMS = new Map([
	["base", "Elements, text, numbers and colours: nothing of trainings."],
	["data", "What the page holds: extracts of a run, and the reader's choice."],
	["link", "What brings data: the kernel's messages, or a saved page's own."],
	["profile", "The view of a profile, which is a widget of its own."],
	["curve", "From extracts to the points of a curve, and its axis."],
	["draw", "From curves and marks to the figures that Plotly draws."],
	["panels", "Which metrics stand in which panel; a file for each kind."],
	["charts", "The charts on the page, and which of them are drawn when."],
	["page", "The view of a training: all that stands around the charts."],
]);
const SRC = new URL("../src/", import.meta.url);
const IMPORT = /(?:from |import\(|^import )"(\.[^"]+)"/gm;

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
	(file) => file.endsWith(".js"),
);

/** What each file imports, types included. */
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** @param {string} file */
function importsOf(file) {
	const text = readFileSync(new URL(file, SRC), "utf8");
	return [...text.matchAll(IMPORT)]
		.map(([, path]) => posix.join(posix.dirname(file), path))
		.filter((path) => !path.startsWith("../"));
}

/** @param {string} file in no room: the protocol below all, an entry above all */
function level(file) {
	if (file === "protocol") return -1;
	if (!file.includes("/")) return ROOMS.size;
	return [...ROOMS.keys()].indexOf(file.split("/")[0]);
}

it("has no folder that is not one of the rooms", () => {
	expect(files.filter((file) => level(file) < 0)).toEqual([]);
});

it("has no import from a later room", () => {
	const wrong = [...imports].flatMap(([file, paths]) =>
		paths
			.filter((path) => level(path) > level(file))
			.map((path) => `${file} imports ${path}`),
	);
	expect(wrong).toEqual([]);
});

it("has no files that import each other in a circle", () => {
	expect(files.filter((file) => reached(file).has(file))).toEqual([]);
});

/**
 * @param {string} file
 * @param {Set<string>} [seen]
 */
function reached(file, seen = new Set()) {
	for (const path of imports.get(file) ?? []) {
		if (seen.has(path)) continue;
		seen.add(path);
		reached(path, seen);
	}
	return seen;
}
