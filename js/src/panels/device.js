/** @type {import("./index.js").Panel} the machine: use, memory, power */
export default { id: "device", wide: false, yaxis: { rangemode: "tozero" } };
