import { expect, it } from "vitest";
import { newestFirst, title } from "./alerts.js";

/** @import { AlertInfo } from "./protocol" */

/** @param {number} wall_time_s @param {string} message @returns {AlertInfo} */
const alert = (wall_time_s, message) => ({
	...{ rule: "mine", step: 1, rank: 0, wall_time_s, severity: "warning" },
	...{ metric: "", message, advice: "" },
});

it("lists the newest first, of several ranks and of one moment, too", () => {
	const held = [alert(5, "a"), alert(9, "b"), alert(7, "c"), alert(7, "d")];
	const messages = newestFirst(held).map(({ message }) => message);
	expect(messages).toEqual(["b", "d", "c", "a"]);
});

it("tells a warning from an error without colour", () => {
	expect(title(1, "warning")).toBe("▲ 1 alert");
	expect(title(1234, "error")).toBe("✖ 1,234 alerts");
});
