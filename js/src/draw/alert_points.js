import { escapeMarkup } from "./layout.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { TrackCurve } from "../curve/curves.js" */
/** @import { MarkLine } from "./labels.js" */
/** @import { Options } from "./layout.js" */

/**
 * The alerts of a track, on its own curve.
 * @param {TrackCurve} trackCurve
 * @param {Options} options
 */
export function alertPoints(
	{ drawnTrack: { track, look }, curve },
	{ markLines, theme },
) {
	const own = markLines.filter(
		(l) => l.kind === "alert" && l.track === track.id,
	);
	const at = own.map((line) => ({ line, i: nearest(curve, line) }));
	const points = at.filter(({ i }) => i >= 0);
	if (!points.length) return [];
	return [
		{
			type: "scatter",
			mode: "markers",
			name: "alert",
			x: points.map(({ i }) => curve.x[i]),
			y: points.map(({ i }) => curve.y[i]),
			text: points.map(({ line }) => escapeMarkup(line.text)),
			marker: {
				symbol: "diamond",
				size: 9,
				color: look.color,
				line: { color: theme.error, width: 1.5 },
			},
			legendgroup: track.id,
			showlegend: false,
			hovertemplate: "%{text}<extra></extra>",
		},
	];
}

/**
 * The finite point that is nearest to a mark; -1 when there is none.
 * @param {Curve} curve
 * @param {MarkLine} line
 */
function nearest({ x, y }, line) {
	let best = -1;
	for (let i = 0; i < x.length; i++) {
		if (!Number.isFinite(y[i])) continue;
		const nearer = Math.abs(x[i] - line.x) < Math.abs(x[best] - line.x);
		if (best < 0 || nearer) best = i;
	}
	return best;
}
