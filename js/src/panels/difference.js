/** @type {import("./plan.js").Panel} how far runs are from a baseline */
export default {
	id: "difference",
	title: "difference to the baseline",
	wide: false,
	open: true,
	yaxis: {},
};
