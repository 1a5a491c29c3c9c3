// Where a client of the feed stands: opaque to it, everything to us.

/**
 * Through which eyes a caller sees a course, as short texts with a dot between them: when the first changes, the whole course is
 * told again; when another does, what it is about (lens.ts).
 */
export type Lens = string;

/** A scope that is still being told from its beginning: after the first request all of them, later each new course. */
export interface Backlog {
  /** 0: the caller's own things. */
  readonly course_id: number;
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
  /** By course; under 0 that of the caller's own things. */
  readonly lenses: Readonly<Record<string, Lens>>;
  readonly backlog: readonly Backlog[];
}

const base64url = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

export const writeCursor = ({ epoch, seq, at, lenses, backlog }: Cursor): string =>
  base64url(
    JSON.stringify([2, epoch, seq, at, lenses, backlog.map((one) => [one.course_id, one.after, one.withDeletes ? 1 : 0, one.part])]),
  );

/** The cursor, or nothing for a text that is none of ours. */
export function readCursor(given: string): Cursor | undefined {
  try {
    const [version, epoch, seq, at, lenses, backlog] = JSON.parse(atob(given.replaceAll('-', '+').replaceAll('_', '/')));
    if (version !== 2 || typeof epoch !== 'string' || !Number.isSafeInteger(seq) || typeof at !== 'string' || typeof lenses !== 'object')
      return undefined;
    return {
      epoch,
      seq,
      at,
      lenses,
      backlog: (backlog as [number, number, number, number][]).map(([course_id, after, withDeletes, part]) => ({
        course_id,
        after,
        withDeletes: withDeletes === 1,
        part,
      })),
    };
  } catch {
    return undefined;
  }
}
