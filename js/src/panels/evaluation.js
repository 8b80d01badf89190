/** @type {import("./index.js").Panel} values of evaluations */
export default { id: "evaluation", wide: false, yaxis: {} };
