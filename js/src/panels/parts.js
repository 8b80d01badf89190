/** @type {import("./plan.js").Panel} one small multiple per loss part */
export default {
	id: "parts",
	title: "parts of the loss",
	wide: false,
	yaxis: {},
};
