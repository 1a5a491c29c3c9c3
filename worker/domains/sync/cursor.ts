// Where a client of the feed stands: opaque to it, everything to us.

/**
 * Through which eyes a caller sees a course or group, as short texts with a dot between them: when the first changes, the whole course is
 * told again; when another does, what it is about (lens.ts).
 */
export type Lens = string;

/** Where an item stands, as one number: a course by its id, a group by its id below zero, 0 among the caller's own things. */
export type Home = number;

/** The scope of a group's or course's changes. */
export const scopeOf = (home: Home): string => (home < 0 ? `group_${-home}` : `course_${home}`);

/** A scope that is still being told from its beginning: after the first request all of them, later each new course or group. */
export interface Backlog {
  readonly home: Home;
  /** Changes up to here have been told. */
  readonly after: number;
  /** The client may hold items that it may no longer see. */
  readonly withDeletes: boolean;
  /** The part of the lens that has changed; 0: all of it. */
  readonly part: number;
}

export interface Cursor {
  readonly epoch: string;
  /** Changes up to here have been told. */
  readonly seq: number;
  /** Moments up to here have been told. */
  readonly at: string;
  /** By home. */
  readonly lenses: Readonly<Record<string, Lens>>;
  readonly backlog: readonly Backlog[];
  /** The newest change of the log when this was written: what was sent then is of that state. */
  readonly newest: number;
  /** The nonce of the mark that covers it; empty for an empty log. */
  readonly mark: string;
}

/** Cursors of other formats are none of ours: their clients refetch once. */
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
      backlog.map((one) => [one.home, one.after, one.withDeletes ? 1 : 0, one.part]),
      newest,
      mark,
    ]),
  );

const isCount = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) >= 0;

const isBacklog = (given: unknown): given is [number, number, number, number] =>
  Array.isArray(given) && Number.isSafeInteger(given[0]) && isCount(given[1]) && isCount(given[2]) && isCount(given[3]);

const areLenses = (given: unknown): given is Record<string, Lens> =>
  typeof given === 'object' &&
  given !== null &&
  Object.entries(given).every(([home, lens]) => /^-?\d{1,15}$/.test(home) && typeof lens === 'string');

const parsed = (given: string): unknown => {
  try {
    return JSON.parse(atob(given.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
};

/** The cursor, or nothing for a text that is none of ours. */
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
    backlog: backlog.map(([home, after, withDeletes, part]) => ({ home, after, withDeletes: withDeletes === 1, part })),
    newest,
    mark,
  };
}
