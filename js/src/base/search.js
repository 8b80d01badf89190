/**
 * The first of `length` indices for which `after` holds; it stays true from there.
 * @param {number} length
 * @param {(index: number) => boolean} after
 */
export function search(length, after) {
	let low = 0;
	let high = length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (after(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}
