/**
 * What the reader has chosen; none of it needs the kernel.
 * @typedef {{
 *   x: string, weight: number, log: boolean,
 *   range: [number, number] | null, zoomed: number, parameter: string,
 *   tracks: Record<string, boolean>, whole: Record<string, boolean>,
 * }} Choice `zoomed` counts the times that the zoom was undone; `parameter` is the
 *   one of the distributions, empty for the first;
 *   `tracks` are those shown or hidden otherwise than the kernel has it; `whole` are
 *   the panels that show also what is out of all proportion
 *
 * @typedef {(part: Partial<Choice>) => void} Choose
 */

/** @returns {Choice} */
export const initialChoice = () => ({
	x: "step",
	weight: 0,
	log: false,
	range: null,
	zoomed: 0,
	parameter: "",
	tracks: {},
	whole: {},
});
