const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** @param {number} value a count: 18,640 */
export const count = (value) => whole.format(value);

/** @param {number} value with four significant digits */
export function number(value) {
	if (Number.isNaN(value)) return "NaN";
	if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "−Inf";
	const size = Math.abs(value);
	if (size !== 0 && (size < 1e-3 || size >= 1e7)) {
		return value
			.toExponential(2)
			.replace(/\.?0+e/, "e")
			.replace("e+", "e");
	}
	if (size >= 1000) return whole.format(value);
	return String(Number(value.toPrecision(4)));
}

/** @param {number} seconds as "2 h 14 min" */
export function duration(seconds) {
	const s = Math.max(0, seconds);
	if (s < 10) return `${s.toFixed(1)} s`;
	if (s < 60) return `${Math.floor(s)} s`;
	const minutes = Math.floor(s / 60);
	if (minutes < 60) return `${minutes} min ${Math.floor(s % 60)} s`;
	const hours = Math.floor(minutes / 60);
	if (hours < 48) return `${hours} h ${minutes % 60} min`;
	return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
