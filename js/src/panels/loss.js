/** @type {import("./plan.js").Panel} the loss that is optimised */
export default {
	id: "loss",
	title: "loss",
	wide: true,
	leads: true,
	shares: true,
	yaxis: {},
};
