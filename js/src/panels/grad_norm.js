/** @type {import("./plan.js").Panel} gradient norm */
export default {
	id: "grad_norm",
	title: "gradient norm",
	wide: false,
	yaxis: { rangemode: "tozero" },
};
