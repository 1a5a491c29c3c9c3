// Where a client of the feed stands: opaque to it, everything to us.

/** What a caller is in a course, as a short text: when it changes, the whole course is told again. */
export type Lens = string;

/** A scope that is still being told from its beginning: after the first request all of them, later each new course. */
export interface Backlog {
  /** 0: the caller's own things. */
  readonly course_id: number;
  /** Changes up to here have been told. */
  readonly after: number;
  /** The client may hold items that it may no longer see. */
  readonly withDeletes: boolean;
}

export interface Cursor {
  readonly epoch: string;
  /** Changes up to here have been told. */
  readonly seq: number;
  /** Moments up to here have been told. */
  readonly at: string;
  readonly courses: Readonly<Record<string, Lens>>;
  readonly backlog: readonly Backlog[];
}

const base64url = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

export const writeCursor = ({ epoch, seq, at, courses, backlog }: Cursor): string =>
  base64url(JSON.stringify([1, epoch, seq, at, courses, backlog.map((one) => [one.course_id, one.after, one.withDeletes ? 1 : 0])]));

/** The cursor, or nothing for a text that is none of ours. */
export function readCursor(given: string): Cursor | undefined {
  try {
    const [version, epoch, seq, at, courses, backlog] = JSON.parse(atob(given.replaceAll('-', '+').replaceAll('_', '/')));
    if (version !== 1 || typeof epoch !== 'string' || !Number.isSafeInteger(seq) || typeof at !== 'string' || typeof courses !== 'object')
      return undefined;
    return {
      epoch,
      seq,
      at,
      courses,
      backlog: (backlog as [number, number, number][]).map(([course_id, after, withDeletes]) => ({
        course_id,
        after,
        withDeletes: withDeletes === 1,
      })),
    };
  } catch {
    return undefined;
  }
}
