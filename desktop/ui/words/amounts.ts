// Sizes and counts in words.

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function size(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** step;
  return `${step === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[step]}`;
}

const plurals = new Intl.PluralRules('en');
export const count = (number: number, one: string, other = `${one}s`) =>
  `${number.toLocaleString('en')} ${plurals.select(number) === 'one' ? one : other}`;

export const percent = (share: number) => `${Math.floor(share * 100)} %`;
