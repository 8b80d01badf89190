/** @type {import("./index.js").Panel} weights and gradients of parameters */
export default { id: "distributions", wide: false, yaxis: {} };
