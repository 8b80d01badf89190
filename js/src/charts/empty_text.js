/** @import { Status } from "../protocol" */

/**
 * What stands in the place of the curves before the first value.
 * @param {Status} status
 */
export function emptyText({ phase, detail }) {
	if (phase === "compiling") {
		return "compiling: the first step builds the graph; this can take minutes";
	}
	if (phase === "failed" || phase === "lost")
		return `${phase} before the first value: ${detail}`;
	if (phase === "waiting") return "waiting for the training to begin";
	return `${phase}: no value yet`;
}
