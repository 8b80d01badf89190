/** @type {import("./index.js").Panel} gradient norm */
export default { id: "grad_norm", wide: false, yaxis: { rangemode: "tozero" } };
