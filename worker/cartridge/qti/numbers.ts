// Intervals of numerical answers: QTI has bounds where a question has a margin or a number of significant digits. Pure.

/** Without the noise of binary fractions: 3.5 - 0.1 is 3.4. */
export const decimal = (value: number): number => Number(value.toPrecision(14));

/** A margin is a number, or a percentage of the exact value such as `5%`. */
export function marginWidth(exact: number, margin: number | string | undefined): number {
  const text = String(margin ?? 0);
  const value = Number.parseFloat(text);
  if (!Number.isFinite(value)) return 0;
  return decimal(Math.abs(text.trim().endsWith('%') ? (exact * value) / 100 : value));
}

const magnitude = (value: number): number => (value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value))));

/** Half of the last significant digit. */
export const halfDigit = (approximate: number, precision: number): number => decimal(0.5 * 10 ** (magnitude(approximate) - precision + 1));

/** The number of significant digits that an interval of that half width means: 1 to 16. */
export const digitsOf = (approximate: number, half: number): number =>
  half <= 0 ? 16 : Math.min(16, Math.max(1, Math.round(magnitude(approximate) + 1 - Math.log10(2 * half))));
