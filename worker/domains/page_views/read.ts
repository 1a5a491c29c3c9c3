// Reads the page views of one user from R2, the newest first. One statement finds the objects; a request reads a limited number of them, so a page may
// be short or empty and still have a next page.

import { sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { isNewer, newestUuid, sortedLines, type ViewLine, type ViewTime, viewOfLine } from './lines';
import { type StoredObject, sliceOf, type ViewStore } from './objects';
import type { RecordedView } from './view';

export interface ViewsWanted {
  readonly user_id: number;
  /** The last view of the page before. */
  readonly after?: ViewTime;
  readonly start?: string;
  /** Inclusive. */
  readonly end?: string;
  readonly count: number;
}

export interface ViewPage {
  readonly views: readonly RecordedView[];
  /** Where the next page continues; null after the last view. */
  readonly next: ViewTime | null;
}

interface Candidate extends StoredObject {
  readonly newest: string;
}

/** Objects that a request reads at most, and at the same time. */
const mostObjects = 12;
const together = 4;
const endOfTime = '9999-12-31T23:59:59Z';

/** The next object of each run that can have views of the user, by their newest view. The number of runs does not depend on the number of views. */
async function candidatesOf(db: Database, { user_id, start = '' }: ViewsWanted, after: ViewTime): Promise<Candidate[]> {
  const [found] = await db.perform([
    db.build.all<Omit<Candidate, 'blocks'> & { readonly blocks: string }>(
      sql`select r.to_time as newest, o.key, o.from_user, o.to_user, o.to_time, o.to_uuid, o.blocks from page_view_runs r
        join page_view_objects o on o.id = (select x.id from page_view_objects x where x.run_id = r.id and x.to_user >= ${user_id}
          and (x.to_user > ${user_id} or x.to_time < ${after.time} or (x.to_time = ${after.time} and x.to_uuid < ${after.uuid}))
          order by x.to_user, x.to_time desc, x.to_uuid desc limit 1)
        where r.workflow_state = 'active' and r.to_time >= ${start} and r.from_time <= ${after.time} and o.from_user <= ${user_id}
        order by r.to_time desc`,
    ),
  ]);
  return found.map((one) => ({ ...one, blocks: JSON.parse(one.blocks) as number[] }));
}

const newer = (one: ViewTime | undefined, other: ViewTime | undefined): ViewTime | undefined =>
  one && other ? (isNewer(one, other) ? one : other) : (one ?? other);

/** What has been read so far, and the time down to which it is complete. */
class Reading {
  readonly lines: ViewLine[] = [];
  /** The oldest view of an object that has more. */
  floor: ViewTime | undefined;

  constructor(
    private readonly candidates: readonly Candidate[],
    private readonly after: ViewTime,
  ) {}
  private nth = 0;

  take(): Candidate[] {
    const some = this.candidates.slice(this.nth, this.nth + together);
    this.nth += some.length;
    return some;
  }

  get #unread(): ViewTime | undefined {
    const next = this.candidates[this.nth];
    return next && { time: next.newest, uuid: newestUuid };
  }

  /** The limit is exceeded only if the page could not advance otherwise. */
  get isAtLimit(): boolean {
    const next = this.#unread;
    return next === undefined || (this.nth >= mostObjects && isNewer(this.after, next));
  }

  /** Views up to and including this one are known; undefined when all are. */
  get bound(): ViewTime | undefined {
    return newer(this.floor, this.#unread);
  }

  get known(): ViewLine[] {
    const { bound } = this;
    return sortedLines(bound ? this.lines.filter((line) => !isNewer(bound, line)) : this.lines);
  }
}

/** @param count is called for each read of R2 */
export async function viewsOf(env: ViewStore, db: Database, wanted: ViewsWanted, count: () => void): Promise<ViewPage> {
  const { user_id, start = '', end = endOfTime } = wanted;
  const last = { time: end, uuid: newestUuid };
  const after = wanted.after && isNewer(last, wanted.after) ? wanted.after : last;
  const reading = new Reading(await candidatesOf(db, wanted, after), after);
  let known: readonly ViewLine[] = [];
  do {
    const some = reading.take();
    const slices = await Promise.all(some.map((object) => sliceOf(env, object, { user: user_id, ...after }, count)));
    for (const { lines, hasMore } of slices) {
      reading.lines.push(...lines.filter(({ time }) => time >= start));
      if (hasMore) reading.floor = newer(reading.floor, lines.at(-1));
    }
    known = reading.known;
  } while (known.length <= wanted.count && !reading.isAtLimit);
  const page = known.slice(0, wanted.count);
  return { views: page.map(({ text }) => viewOfLine(text)), next: nextOf(page, known, reading.bound, start) };
}

function nextOf(page: readonly ViewLine[], known: readonly ViewLine[], bound: ViewTime | undefined, start: string): ViewTime | null {
  const last = page.at(-1);
  if (last && known.length > page.length) return { time: last.time, uuid: last.uuid };
  return bound && bound.time >= start ? bound : null;
}
