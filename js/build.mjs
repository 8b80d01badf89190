import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = fileURLToPath(
	new URL("../mswidget/widget/static/", import.meta.url),
);
const plotly = "plotly.js-basic-dist-min";
const { version } = JSON.parse(
	readFileSync(`${here}node_modules/${plotly}/package.json`, "utf8"),
);
/** @type {import("esbuild").BuildOptions} */
const page = {
	absWorkingDir: here,
	bundle: true,
	format: "esm",
	target: "es2022",
	minify: true,
	legalComments: "none",
};

mkdirSync(out, { recursive: true });
await build({
	...page,
	define: { PLOTLY_VERSION: JSON.stringify(version) },
	entryPoints: {
		widget: "src/index.js",
		page: "src/saved_page.js",
		profile: "src/profile/index.js",
	},
	outdir: out,
});
await build({
	...page,
	entryPoints: { widget: "src/style.css", profile: "src/profile/profile.css" },
	outdir: out,
});
const library = await build({
	...page,
	stdin: { contents: `export { default } from "${plotly}";`, resolveDir: here },
	legalComments: "inline",
	write: false,
});
writeFileSync(
	`${out}plotly.js.gz`,
	gzipSync(library.outputFiles[0].contents, { level: 9 }),
);
writeFileSync(`${out}plotly.json`, `${JSON.stringify({ version })}\n`);
