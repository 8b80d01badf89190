/** @type {import("./plan.js").Panel} the machine: use, memory, power */
export default {
	id: "device",
	title: "device",
	apart: true,
	wide: false,
	yaxis: { rangemode: "tozero" },
};
