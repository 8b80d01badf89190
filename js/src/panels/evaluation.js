/** @type {import("./plan.js").Panel} values of evaluations */
export default {
	id: "evaluation",
	title: "evaluation",
	wide: false,
	yaxis: {},
};
