/**
 * A causal exponential moving average, divided by the weight it has seen so that it
 * starts at the first value, and anew where a line begins. Values that are not finite
 * leave it as it was. It moves by a share of the difference: that of equal values is
 * none, to the last bit.
 * @param {Float64Array} values
 * @param {Float64Array | null} at rows of the values; null: value i is in row i
 * @param {number} weight of the past, 0 to below 1
 * @param {number[]} begins rising rows at which a line begins
 */
export function smoothed(values, at, weight, begins) {
	let [average, mass, line] = [Number.NaN, 0, 0];
	return values.map((value, i) => {
		for (; begins[line] <= (at ? at[i] : i); line++) {
			[average, mass] = [Number.NaN, 0];
		}
		if (!Number.isFinite(value)) return average;
		const past = mass ? average : value;
		mass = weight * mass + (1 - weight);
		average = past + ((1 - weight) / mass) * (value - past);
		return average;
	});
}
