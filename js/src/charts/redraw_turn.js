/** So many panels are all kept drawn; of more only those near the view are. */
const ALL = 50;

/**
 * Which of the panels that are out of date are drawn now: the visible ones, and
 * one of the others, so that none is old when it is scrolled into view.
 * @template {{visible: boolean, drawn_ms: number}} Redrawn
 * @param {Redrawn[]} old
 * @param {number} count of all panels
 */
export function redrawTurn(old, count) {
	const now = old.filter(({ visible }) => visible);
	if (!keepsHidden(count)) return { now, later: 0 };
	const hidden = old.filter(({ visible }) => !visible);
	hidden.sort((a, b) => a.drawn_ms - b.drawn_ms);
	now.push(...hidden.splice(0, 1));
	return { now, later: hidden.length };
}

/** @param {number} count of all panels */
export const keepsHidden = (count) => count <= ALL;
