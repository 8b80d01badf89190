/** @type {import("./index.js").Panel} one small multiple per loss part */
export default { id: "parts", wide: false, yaxis: {} };
