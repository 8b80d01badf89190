/** @type {import("./plan.js").Panel} learning rates */
export default {
	id: "lr",
	title: "learning rates",
	wide: true,
	leads: true,
	strip: true,
	shares: true,
	yaxis: { exponentformat: "e", rangemode: "tozero" },
};
