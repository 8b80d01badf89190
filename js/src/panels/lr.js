/** @type {import("./index.js").Panel} learning rates */
export default {
	id: "lr",
	wide: false,
	yaxis: { exponentformat: "e", rangemode: "tozero" },
};
