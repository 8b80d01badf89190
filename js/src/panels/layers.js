/** @type {import("./index.js").Panel} gradient norms of the layers */
export default { id: "layers", wide: true, yaxis: { rangemode: "tozero" } };
