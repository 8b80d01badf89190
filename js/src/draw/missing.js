/** @import { Curve } from "../curve/curve.js" */
/** @import { Options } from "./layout.js" */

/**
 * Hatches what is not here of some curves; nothing where all is.
 * @param {Curve[]} curves
 * @param {Options} options
 */
export function missingTraces(curves, { theme, waits }) {
	const stretches = joined(curves.flatMap(({ missing }) => missing));
	if (!stretches.length) return [];
	return [
		{
			type: "scatter",
			mode: "lines",
			name: waits,
			x: stretches.flatMap(([a, b]) => [a, a, b, b, a, Number.NaN]),
			y: stretches.flatMap(() => [0, 1, 1, 0, 0, Number.NaN]),
			yaxis: "y2",
			line: { width: 0 },
			fill: "toself",
			fillcolor: "rgba(0,0,0,0)",
			fillpattern: {
				shape: "/",
				size: 8,
				solidity: 0.12,
				fgcolor: theme.muted,
				bgcolor: "rgba(0,0,0,0)",
			},
			hoverinfo: "skip",
			showlegend: false,
		},
	];
}

/**
 * Stretches of an axis in their order, none of which overlap.
 * @param {[number, number][]} stretches
 */
export function joined(stretches) {
	/** @type {[number, number][]} */
	const apart = [];
	for (const [a, b] of stretches.toSorted((s, t) => s[0] - t[0])) {
		const last = apart.at(-1);
		if (last && a <= last[1]) last[1] = Math.max(last[1], b);
		else apart.push([a, b]);
	}
	return apart;
}
