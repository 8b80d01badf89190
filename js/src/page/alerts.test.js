import { expect, it } from "vitest";
import { readContract } from "../../test/contract.js";
import { newestFirst, places, title } from "./alerts.js";

/** @import { AlertInfo, Head } from "../protocol" */

/** @param {number} wall_time_s @param {string} message @returns {AlertInfo} */
const alert = (wall_time_s, message) => ({
	...{ rule: "mine", step: 1, rank: 0, wall_time_s, severity: "warning" },
	...{ metric: "", message, advice: "", track: "" },
});

it("lists the newest first, of several ranks and of one moment, too", () => {
	const held = [alert(5, "a"), alert(9, "b"), alert(7, "c"), alert(7, "d")];
	const messages = newestFirst(held).map(({ message }) => message);
	expect(messages).toEqual(["b", "d", "c", "a"]);
});

it("names the run of an alert where there are several", () => {
	const [bundle] = readContract("").filter(
		({ name }) => name === "bundle.json",
	);
	const { alerts, tracks } = /** @type {Head} */ (bundle.head);
	expect(alerts.map(places(alerts, tracks))).toEqual(["基线, step 3"]);
	expect(alerts.map(places(alerts, tracks.slice(1)))).toEqual(["step 3"]);
});

it("tells a warning from an error without colour", () => {
	expect(title(1, "warning")).toBe("▲ 1 alert");
	expect(title(1234, "error")).toBe("✖ 1,234 alerts");
});
