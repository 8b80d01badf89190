import { expect, it, vi } from "vitest";
import { EmbeddedModel, readEmbedded } from "./embedded.js";

/** @param {Record<string, string>} texts */
const page = (texts) =>
	/** @type {Document} */ (
		/** @type {unknown} */ ({
			getElementById: (/** @type {string} */ id) => ({
				textContent: texts[id],
			}),
		})
	);

it("reads what was written into the page, numbers as bytes", () => {
	const embedded = readEmbedded(
		page({
			"mswidget-state":
				'{"edition": "e", "every_s": 5, "state": {"seq": 3}, "beside": {"count": 7}}',
			"mswidget-snapshot": btoa("\x00\xff"),
			"mswidget-beside": btoa("\x01"),
		}),
	);
	expect(embedded.every_s).toBe(5);
	expect(embedded.state.seq).toBe(3);
	expect(embedded.state.snapshot.getUint16(0)).toBe(255);
	expect(embedded.beside.block.count).toBe(7);
	expect(embedded.beside.buffer.getUint8(0)).toBe(1);
});

it("tells the widget when the page was written anew, until it looks away", () => {
	const state = /** @type {any} */ ({ seq: 1 });
	const model = new EmbeddedModel(state, new DataView(new ArrayBuffer(0)));
	const heard = vi.fn();
	model.on("change:snapshot", heard);
	model.set({ ...state, seq: 2 });
	model.off("change:snapshot", heard);
	model.set({ ...state, seq: 3 });
	expect(heard).toHaveBeenCalledOnce();
	expect(model.get("seq")).toBe(3);
});
