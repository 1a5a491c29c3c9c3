// The cursor of the feed, opaque to clients.

/**
 * A visibility key: what a caller may see in a course or group, as short texts joined by dots. When the first part changes, the whole course is sent
 * again; when another one does, only the kinds it concerns (visibility_key.ts).
 */
export type VisibilityKey = string;

/** The context of an item as one number: a course by its id, a group by its negative id, 0 for the caller's own items. */
export type Home = number;

/** The change log scope of a course or group. */
export const scopeNameOf = (home: Home): string => (home < 0 ? `group_${-home}` : `course_${home}`);

/** A scope that is still being sent from its beginning: at first all of them, later each new course or group. */
export interface Backlog {
  readonly home: Home;
  /** Changes up to this one have been sent. */
  readonly after: number;
  /** The client may have items that it may no longer see. */
  readonly withDeletes: boolean;
  /** The part of the visibility key that changed; 0 means all. */
  readonly part: number;
  /** Where the walk of a part ends, or from which change on it counts (graded_walks.ts). */
  readonly bound?: number;
}

export interface Cursor {
  readonly epoch: string;
  /** Changes up to this one have been sent. */
  readonly seq: number;
  /** Scheduled changes up to this time have been sent. */
  readonly at: string;
  /** Visibility keys by context. */
  readonly lenses: Readonly<Record<string, VisibilityKey>>;
  readonly backlog: readonly Backlog[];
  /** The newest change in the log when this cursor was written; responses reflect that state. */
  readonly newest: number;
  /** The nonce of its log mark; empty for an empty log. */
  readonly mark: string;
}

/** Cursors of other formats are invalid, and their clients fetch everything once. */
const format = 3;

const base64url = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

export const writeCursor = ({ epoch, seq, at, lenses, backlog, newest, mark }: Cursor): string =>
  base64url(
    JSON.stringify([
      format,
      epoch,
      seq,
      at,
      lenses,
      backlog.map((one) => [one.home, one.after, one.withDeletes ? 1 : 0, one.part, ...(one.bound === undefined ? [] : [one.bound])]),
      newest,
      mark,
    ]),
  );

const isCount = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) >= 0;

const isBacklog = (given: unknown): given is [number, number, number, number, number?] =>
  Array.isArray(given) &&
  Number.isSafeInteger(given[0]) &&
  isCount(given[1]) &&
  isCount(given[2]) &&
  isCount(given[3]) &&
  (given[4] === undefined || isCount(given[4]));

const areLenses = (given: unknown): given is Record<string, VisibilityKey> =>
  typeof given === 'object' &&
  given !== null &&
  Object.entries(given).every(([home, visibilityKey]) => /^-?\d{1,15}$/.test(home) && typeof visibilityKey === 'string');

const parsed = (given: string): unknown => {
  try {
    return JSON.parse(atob(given.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
};

/** Parses a cursor; undefined when invalid. */
export function readCursor(given: string): Cursor | undefined {
  const parts = parsed(given);
  if (!Array.isArray(parts)) return undefined;
  const [version, epoch, seq, at, lenses, backlog, newest, mark] = parts as unknown[];
  if (version !== format || !isCount(newest) || typeof mark !== 'string') return undefined;
  if (typeof epoch !== 'string' || !isCount(seq) || typeof at !== 'string') return undefined;
  if (!areLenses(lenses) || !Array.isArray(backlog) || !backlog.every(isBacklog)) return undefined;
  return {
    epoch,
    seq,
    at,
    lenses,
    backlog: backlog.map(([home, after, withDeletes, part, bound]) => ({
      home,
      after,
      withDeletes: withDeletes === 1,
      part,
      ...(bound !== undefined && { bound }),
    })),
    newest,
    mark,
  };
}
