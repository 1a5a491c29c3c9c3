// Formats sizes and shares.

import { inLocale, t } from './texts.ts';

const units = ['kB', 'MB', 'GB', 'TB'];
const whole = inLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
const tenths = inLocale((locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

export function size(bytes: number): string {
  if (bytes < 1000) return t('bytes', { count: bytes });
  const step = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** step;
  return `${(amount >= 100 ? whole() : tenths()).format(amount)} ${units[step - 1]}`;
}

const wholePercent = inLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }));
const finePercent = inLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }));

/** Rounds down, so that 100 % means complete. */
export const percent = (share: number) => wholePercent().format(Math.floor(share * 100) / 100);
/** With the precision of scores. */
export const exactPercent = (share: number) => finePercent().format(share);
