import { expect, it, vi } from "vitest";
import { Still, written } from "./still.js";

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
	const found = written(
		page({
			"mswidget-state":
				'{"edition": "e", "every_s": 5, "state": {"seq": 3}, "beside": {"count": 7}}',
			"mswidget-snapshot": btoa("\x00\xff"),
			"mswidget-beside": btoa("\x01"),
		}),
	);
	expect(found.every_s).toBe(5);
	expect(found.state.seq).toBe(3);
	expect(found.state.snapshot.getUint16(0)).toBe(255);
	expect(found.beside.block.count).toBe(7);
	expect(found.beside.buffer.getUint8(0)).toBe(1);
});

it("tells the widget when the page was written anew, until it looks away", () => {
	const state = /** @type {any} */ ({ seq: 1 });
	const still = new Still(state, new DataView(new ArrayBuffer(0)));
	const heard = vi.fn();
	still.on("change:snapshot", heard);
	still.set({ ...state, seq: 2 });
	still.off("change:snapshot", heard);
	still.set({ ...state, seq: 3 });
	expect(heard).toHaveBeenCalledOnce();
	expect(still.get("seq")).toBe(3);
});
