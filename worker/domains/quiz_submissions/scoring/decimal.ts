// Decimal numbers, so that the borders of a range are inclusive: 0.1 + 0.2 equals 0.3 here.

/** `units` × 10^-`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

// Longer numbers or exponents would take long to compute with.
const longest = 400;

/** @returns undefined for what is no decimal number */
export function decimalOf(given: unknown): Decimal | undefined {
  const text = typeof given === 'number' ? String(given) : typeof given === 'string' ? given.trim() : '';
  const parts = text.length <= longest ? /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(text) : null;
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  if (whole === '' && fraction === '') return undefined;
  const power = Number(exponent);
  if (Math.abs(power) > longest) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const scale = fraction.length - power;
  const units = sign === '-' ? -digits : digits;
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

const unitsAt = ({ units, scale }: Decimal, wanted: number) => units * 10n ** BigInt(wanted - scale);

/** Negative, zero or positive, as for sorting. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = unitsAt(a, scale) - unitsAt(b, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export const negated = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale });
const absolute = ({ units, scale }: Decimal): Decimal => ({ units: units < 0n ? -units : units, scale });

/**
 * @param margin a number, or a percentage of the value such as `5%`; blank or unreadable means none
 * @returns never negative
 */
export function marginOf(margin: number | string | undefined, value: Decimal): Decimal {
  const text = typeof margin === 'string' ? margin.trim() : margin;
  if (typeof text === 'string' && text.endsWith('%')) {
    const percent = decimalOf(text.slice(0, -1)) ?? { units: 0n, scale: 0 };
    return absolute({ units: percent.units * value.units, scale: percent.scale + value.scale + 2 });
  }
  return absolute(decimalOf(text) ?? { units: 0n, scale: 0 });
}

/** Rounds half away from zero. @param digits at least 1 */
export function toSignificant(given: Decimal, digits: number): Decimal {
  const { units, scale } = absolute(given);
  const dropped = units.toString().length - digits;
  if (dropped <= 0) return given;
  const step = 10n ** BigInt(dropped);
  const rounded = ((units + step / 2n) / step) * step;
  return { units: given.units < 0n ? -rounded : rounded, scale };
}

/** Without trailing zeros and exponent. */
export function decimalText({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? '' : digits.slice(digits.length - scale).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return text === '0' ? text : `${sign}${text}`;
}

/** Rounds half away from zero to decimals. */
export function toDecimals(given: Decimal, decimals: number): Decimal {
  if (given.scale <= decimals) return given;
  const step = 10n ** BigInt(given.scale - decimals);
  const { units } = absolute(given);
  const rounded = (units + step / 2n) / step;
  return { units: given.units < 0n ? -rounded : rounded, scale: decimals };
}
