/** @type {import("./plan.js").Panel} any metric without a panel of its own */
export default {
	id: "other",
	title: "other metrics",
	wide: false,
	yaxis: {},
};
