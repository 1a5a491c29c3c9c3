// The feed: requests the changes page by page, and stores each page with its cursor.

import { setImmediate } from 'node:timers/promises';
import type { ChangesPage, Kind } from '@carrel/shared/sync/protocol';
import type { Cache } from '../store/cache';
import { stored } from '../store/damage';
import { Declined, NoAnswer, type Session } from './session';

const pageSize = 1000;

export interface Pulled {
  readonly kinds: ReadonlySet<Kind>;
  readonly changes: number;
  /** The server asked to start over: its history has changed. */
  readonly isRebuilt: boolean;
  /** Lists that broke off. */
  readonly troubles?: readonly { readonly where: string; readonly problem: Error }[];
}

/** The address has no feed: a Canvas server, or a proxy in front of it. */
export class NoFeed extends Error {
  override readonly name = 'NoFeed';
}

/** Of the courses chosen for grading the server also sends the students' work. The choice is sent with every request. */
export interface FeedChoice {
  readonly graded?: readonly number[];
}

export async function pullFeed(session: Session, cache: Cache, now: () => Date, { graded = [] }: FeedChoice = {}): Promise<Pulled> {
  const kinds = new Set<Kind>();
  let changes = 0;
  let isRebuilt = false;
  cache.graded = new Set(graded);
  let asked = nextPage(session, cache.cursor(), graded);
  for (;;) {
    const page = await asked;
    if ('why' in page) {
      // A server that asks for this twice in a row would never stop.
      if (isRebuilt) throw new Error('the server refuses its own feed');
      isRebuilt = true;
      cache.reset(now(), page.why);
      asked = nextPage(session, undefined, graded);
      continue;
    }
    // The next page is requested before this one is stored, so that the server prepares it meanwhile.
    if (page.has_more) asked = nextPage(session, page.cursor, graded);
    asked.catch(() => {});
    await setImmediate();
    for (const kind of cache.apply(page, now())) kinds.add(kind);
    changes += page.changes.length;
    if (page.has_more) continue;
    cache.note(gradedHere, JSON.stringify(graded));
    return { kinds, changes, isRebuilt };
  }
}

/** The server cannot follow the cursor. */
interface Lost {
  /** `expired`: the history is the same, and what is missing was deleted. With any other reason, a missing row means nothing. */
  readonly why: string;
}

const gradedHere = 'graded courses';

/** Whether the students' work of a course was sent completely. */
export const isGradedOnDesk = (cache: Cache, courseId: number): boolean =>
  stored<number[]>(cache.noted(gradedHere) ?? '[]').includes(courseId);

async function nextPage(session: Session, cursor: string | undefined, graded: readonly number[]): Promise<ChangesPage | Lost> {
  const query = new URLSearchParams({ ...(cursor === undefined ? {} : { cursor }), limit: `${pageSize}` });
  for (const id of graded) query.append('graded_course_ids[]', `${id}`);
  try {
    const page = await session.json<ChangesPage>(`/api/sync/v1/changes?${query}`);
    if (typeof page?.cursor !== 'string' || !Array.isArray(page.changes)) throw new NoFeed('this server has no sync feed');
    return page;
  } catch (problem) {
    if (problem instanceof Declined && problem.status === 409) return { why: reasonIn(problem.body) };
    // An HTML page instead of an API response, or no response.
    if (problem instanceof NoAnswer || (problem instanceof Declined && problem.status === 404)) throw new NoFeed(problem.message);
    throw problem;
  }
}

function reasonIn(body: string): string {
  try {
    const { reason } = JSON.parse(body) as { reason?: unknown };
    return typeof reason === 'string' ? reason : 'unknown';
  } catch {
    return 'unknown';
  }
}
