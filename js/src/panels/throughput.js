/** @type {import("./index.js").Panel} how fast it goes */
export default { id: "throughput", wide: false, yaxis: {} };
