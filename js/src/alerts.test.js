import { expect, it } from "vitest";
import { track } from "../test/samples.js";
import { newestFirst, places, title } from "./alerts.js";

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

it("names the run of an alert where there are several", () => {
	const tracks = ["base", "tuned"].map((label, i) =>
		track(`${i}.0`, { run: label, label }),
	);
	const held = [{ ...alert(5, "a"), track: "1.0" }];
	expect(places(held, tracks)(held[0])).toBe("tuned, step 1");
	expect(places(held, tracks.slice(1))(held[0])).toBe("step 1");
});

it("tells a warning from an error without colour", () => {
	expect(title(1, "warning")).toBe("▲ 1 alert");
	expect(title(1234, "error")).toBe("✖ 1,234 alerts");
});
