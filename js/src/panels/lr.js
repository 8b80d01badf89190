/** @type {import("./plan.js").Panel} learning rates */
export default {
	id: "lr",
	title: "learning rates",
	wide: false,
	yaxis: { exponentformat: "e", rangemode: "tozero" },
};
