/**
 * Whether the curves stand still. While they do, what is new is not drawn; what the
 * reader changes is, until that is drawn whole.
 */
export class Pause {
	constructor() {
		this.on = false;
		/** How often the reader has changed what is to be drawn. */
		this.changes = 0;
		/** Up to which of these changes it is drawn whole. */
		this.drawn = -1;
		/** The newest step of the last drawing. @type {number | null} */
		this.step = null;
	}

	get holds() {
		return this.on && this.drawn === this.changes;
	}

	toggle() {
		this.on = !this.on;
	}

	/**
	 * @param {number} changes how many there were when the drawing began
	 * @param {boolean} whole
	 * @param {number | null} step
	 */
	drew(changes, whole, step) {
		this.step = step;
		if (whole) this.drawn = changes;
	}
}
