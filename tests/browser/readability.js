(root, least) => {
	const parse = (color) => {
		const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
		return [r, g, b, a];
	};
	const over = ([r, g, b, a], below) =>
		[r, g, b].map((value, i) => value * a + below[i] * (1 - a));
	// Plotly stacks its drawings; the first one carries the colour of the paper.
	const under = (element) => {
		const [paper] =
			element.parentElement?.querySelectorAll(":scope > .main-svg") ?? [];
		const isAbove = element.matches(".main-svg") && element !== paper;
		return isAbove ? paper : element.parentElement;
	};
	const background = (element) => {
		if (!element) return [255, 255, 255];
		const color = parse(getComputedStyle(element).backgroundColor);
		return color[3] === 1
			? color.slice(0, 3)
			: over(color, background(under(element)));
	};
	const linear = (value) =>
		value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4;
	const luminance = (rgb) =>
		rgb
			.map(linear)
			.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const contrast = (one, other) => {
		const [low, high] = [luminance(one), luminance(other)].sort(
			(a, b) => a - b,
		);
		return (high + 0.05) / (low + 0.05);
	};
	// A disabled control is meant to be faint; WCAG exempts it.
	const isText = (node) =>
		node.data.trim() &&
		node.parentElement.checkVisibility({ visibilityProperty: true }) &&
		!node.parentElement.closest("style, script, option, :disabled");

	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	const faint = [];
	while (walker.nextNode()) {
		const node = walker.currentNode;
		if (!isText(node)) continue;
		const style = getComputedStyle(node.parentElement);
		const inSvg = node.parentElement instanceof SVGElement;
		const below = background(node.parentElement);
		const color = over(parse(inSvg ? style.fill : style.color), below);
		const ratio = contrast(color, below);
		if (ratio < least)
			faint.push([node.data.trim(), Math.round(ratio * 10) / 10, color, below]);
	}
	return faint;
};
