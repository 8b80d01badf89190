// A page that does with a kernel's widgets what VS Code's output frame does.
import { KernelManager, ServerConnection } from "@jupyterlab/services";

const WIDGET = "application/vnd.jupyter.widget-view+json";

const { searchParams } = new URL(location.href);
const here = new URL("./", location.href).href;

async function connect() {
	const { activate } = await import(`${here}ipywidgets.js`);
	await activate({});
	window.vscIPyWidgets8.load();
	window.requirejs.config({ paths: { anywidget: `${here}anywidget/index` } });
	const serverSettings = ServerConnection.makeSettings({
		baseUrl: `${location.origin}/`,
		wsUrl: `${location.origin.replace("http", "ws")}/`,
		token: searchParams.get("token"),
	});
	const kernel = await new KernelManager({ serverSettings }).startNew({
		name: searchParams.get("kernel"),
	});
	const scripts = {
		widgetsRegisteredInRequireJs: new Set(["anywidget"]),
		loadWidgetScript: async () => {},
		errorHandler: (name, _version, error) => console.error(name, error),
		successHandler: () => {},
	};
	const { WidgetManager } = window.vscIPyWidgets;
	const container = document.getElementById("container");
	const manager = new WidgetManager(kernel, container, scripts, console.log);
	return { kernel, manager };
}

const WHITE = "cell-output-ipywidget-background";

/** The nest of elements that VS Code puts around an output. */
function addOutput(classes) {
	const nest = ["cell_container", "output_container", ...classes];
	return nest.reduce((parent, className) => {
		const child = document.createElement("div");
		child.className = className;
		return parent.appendChild(child);
	}, document.getElementById("container"));
}

async function showWidget(id) {
	const { manager } = await connection;
	const model = await manager.get_model(id);
	const node = addOutput([`output ${WHITE}`, WHITE]);
	// The manager renders the view in no document, then attaches it.
	const view = await manager.create_view(model, { el: node });
	await manager.display_view({}, view, { node });
}

function showHtml(html, displayId) {
	const node = document.createElement("div");
	node.innerHTML = html;
	node.dataset.displayId = displayId ?? "";
	addOutput(["output"]).append(node);
}

function updateHtml(html, displayId) {
	const shown = document.querySelectorAll(`[data-display-id="${displayId}"]`);
	for (const node of shown) node.innerHTML = html;
}

function show(cell, { header, content }) {
	if (header.msg_type === "stream") cell.text += content.text;
	if (header.msg_type === "error") cell.error = content.traceback.join("\n");
	const data = content.data ?? {};
	const displayId = content.transient?.display_id;
	if (header.msg_type === "update_display_data")
		updateHtml(data["text/html"], displayId);
	if (header.msg_type !== "display_data") return;
	if (WIDGET in data) {
		cell.models.push(data[WIDGET].model_id);
		showWidget(data[WIDGET].model_id);
	} else if ("text/html" in data) showHtml(data["text/html"], displayId);
}

async function run(code) {
	const cell = { done: false, text: "", error: "", models: [] };
	cells.push(cell);
	const { kernel } = await connection;
	const future = kernel.requestExecute({ code });
	// As in VS Code, messages do not wait until a view is there to hear them.
	future.onIOPub = (message) => show(cell, message);
	await future.done;
	cell.done = true;
}

const cells = [];
const connection = connect();
window.harness = { cells, connection, run, showWidget };
