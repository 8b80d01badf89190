import { expect, it } from "vitest";
import { contract, head } from "../../test/samples.js";
import { newestFirst, places, title } from "./alerts.js";

/** @import { AlertInfo, Delta } from "../protocol" */

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
	const [{ message }] = contract().filter(({ name }) => name === "tracks.json");
	const { alerts, tracks } = /** @type {Delta} */ (message).head ?? head();
	expect(alerts.map(places(alerts, tracks))).toEqual(["tuned, step 2"]);
	expect(alerts.map(places(alerts, tracks.slice(1)))).toEqual(["step 2"]);
});

it("tells a warning from an error without colour", () => {
	expect(title(1, "warning")).toBe("▲ 1 alert");
	expect(title(1234, "error")).toBe("✖ 1,234 alerts");
});
