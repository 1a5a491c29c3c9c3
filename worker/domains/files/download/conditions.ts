// Evaluates conditional and range requests for a file (RFC 9110 §13, §14).

export interface Representation {
  readonly size: number;
  /** Strong, including its quotes. */
  readonly etag: string;
  /** As stored, in whole seconds. */
  readonly modified_at: string;
}

export type DownloadVerdict =
  | { readonly kind: 'whole' }
  | { readonly kind: 'range'; readonly offset: number; readonly length: number }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unsatisfiable' };

const seconds = (at: string) => Math.floor(Date.parse(at) / 1000);
const opaque = (tag: string) => tag.replace(/^W\//, '');

const names = (list: string, etag: string, isWeak: boolean): boolean =>
  list.trim() === '*' || (list.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => (isWeak ? opaque(tag) === etag : tag === etag));

/** Milliseconds of an HTTP date; undefined for an invalid one, whose header is then ignored. */
const dateOf = (given: string | null): number | undefined => {
  const at = given === null ? Number.NaN : Date.parse(given);
  return Number.isNaN(at) ? undefined : Math.floor(at / 1000);
};

/** The requested range; `whole` for headers to ignore: several ranges, other units, invalid ones. */
function rangeOf(given: string, size: number): DownloadVerdict {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(given.trim()) ?? [];
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'range', offset: size - length, length };
  }
  const offset = Number(first);
  if (last !== '' && Number(last) < offset) return { kind: 'whole' };
  if (offset >= size) return { kind: 'unsatisfiable' };
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return { kind: 'range', offset, length: end - offset + 1 };
}

/** In the order of RFC 9110 §13.2.2. */
export function evaluateConditions(
  method: string,
  headers: Pick<Headers, 'get'>,
  { size, etag, modified_at }: Representation,
): DownloadVerdict {
  const modified = seconds(modified_at);
  const ifMatch = headers.get('if-match');
  const unmodifiedSince = dateOf(headers.get('if-unmodified-since'));
  if (ifMatch !== null ? !names(ifMatch, etag, false) : unmodifiedSince !== undefined && modified > unmodifiedSince)
    return { kind: 'failed' };
  const ifNoneMatch = headers.get('if-none-match');
  const modifiedSince = dateOf(headers.get('if-modified-since'));
  if (ifNoneMatch !== null ? names(ifNoneMatch, etag, true) : modifiedSince !== undefined && modified <= modifiedSince)
    return { kind: 'unchanged' };
  const range = headers.get('range');
  if (range === null || method !== 'GET') return { kind: 'whole' };
  const ifRange = headers.get('if-range')?.trim();
  if (ifRange !== undefined && (ifRange.startsWith('"') ? ifRange !== etag : dateOf(ifRange) !== modified)) return { kind: 'whole' };
  return rangeOf(range, size);
}
