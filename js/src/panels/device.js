/** @type {import("./plan.js").Panel} the machine: use, memory, power */
export default {
	id: "device",
	title: "device",
	wide: false,
	yaxis: { rangemode: "tozero" },
};
