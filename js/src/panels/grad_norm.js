/** @type {import("./index.js").Panel} gradient norm */
export default {
	id: "grad_norm",
	title: "gradient norm",
	wide: false,
	yaxis: { rangemode: "tozero" },
};
