/**
 * What the reader has chosen; none of it needs the kernel, all of it outlives a reload.
 * @typedef {{
 *   x: string, weight: number, log: boolean,
 *   range: [number, number] | null, follow: number, zoomed: number,
 *   parameter: string,
 *   tracks: Record<string, boolean>, whole: Record<string, boolean>,
 *   open: Record<string, boolean>,
 * }} Choice `follow`: so many of the newest steps are shown, where no `range` is and it
 *   is not 0; `zoomed` counts the times that the zoom was undone; `parameter` is the
 *   one of the distributions, empty for the first;
 *   `tracks` are those shown or hidden otherwise than the kernel has it; `whole` are
 *   the panels that show also what is out of all proportion; `open` are the sections
 *   that were folded or unfolded
 *
 * @typedef {(part: Partial<Choice>) => void} Choose
 */

/** @returns {Choice} */
export const initialChoice = () => ({
	x: "step",
	weight: 0,
	log: false,
	range: null,
	follow: 0,
	zoomed: 0,
	parameter: "",
	tracks: {},
	whole: {},
	open: {},
});

/** @param {string} run */
const nameOf = (run) => `mswidget ${run}`;

/**
 * What was chosen of a run before the page was loaded again.
 *
 * The tab's storage is there in JupyterLab, in a page by itself, and in VS Code as long
 * as the notebook is open. It ends with the tab: no run's name stays behind, and two
 * tabs may look at different things. The model would have to pass a busy kernel.
 * @param {string} run
 * @returns {Choice}
 */
export function restoredChoice(run) {
	try {
		const kept = JSON.parse(sessionStorage.getItem(nameOf(run)) ?? "{}");
		return { ...initialChoice(), ...kept };
	} catch {
		return initialChoice();
	}
}

/**
 * @param {string} run
 * @param {Choice} choice
 */
export function keepChoice(run, choice) {
	try {
		sessionStorage.setItem(nameOf(run), JSON.stringify(choice));
	} catch {
		// A frame may be denied its storage, or have none left.
	}
}
