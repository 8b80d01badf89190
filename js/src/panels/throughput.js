/** @type {import("./plan.js").Panel} how fast it goes */
export default {
	id: "throughput",
	title: "throughput",
	wide: false,
	yaxis: {},
};
