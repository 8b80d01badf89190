/**
 * An element with a class and children; text is only ever set as text.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} name after the `mswidget-` prefix
 * @param {(Node | string)[]} children
 */
export function element(tag, name, ...children) {
	const made = document.createElement(tag);
	if (name) made.className = `mswidget-${name}`;
	made.append(...children);
	return made;
}

/**
 * Sets text only when it differs, so that a reader's selection survives.
 * @param {Element} target
 * @param {string} text
 */
export function write(target, text) {
	if (target.textContent !== text) target.textContent = text;
}

/**
 * Brings children in order; those that stand right are not touched.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
export function order(parent, children) {
	children.forEach((child, i) => {
		if (parent.children[i] !== child) {
			parent.insertBefore(child, parent.children[i] ?? null);
		}
	});
}

/**
 * An element of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} attributes
 * @param {Node[]} children
 */
export function svg(tag, attributes, ...children) {
	const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [name, value] of Object.entries(attributes))
		made.setAttribute(name, String(value));
	made.append(...children);
	return made;
}
