// Queries for page views as queued work. A step reads views until a piece of the result is full, stores it, and saves the progress in one batch.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../../database/open';
import type { RowOf } from '../../../http/listing';
import type { Job, Platform } from '../../../platform';
import { allowance, breath, mostCrashes, Overtaken, type ResumableWork, textOfError } from '../../../steps';
import { viewsOf } from '../read';
import { page_view_queries } from '../table';
import { piecesOf, resultText } from './result';

type QueryRow = RowOf<typeof page_view_queries>;

export const unfinishedPageViewQueries: ResumableWork = {
  job: 'page_view_query',
  table: 'page_view_queries',
  unfinished: ['queued', 'processing'],
};

/** Characters of a piece. */
const fullPiece = 4 * 1024 * 1024;
const viewsAtOnce = 1000;

const found = async (db: Database, id: number): Promise<QueryRow | undefined> => {
  const [[it]] = await db.perform([db.build.select().from(page_view_queries).where(eq(page_view_queries.id, id))]);
  return it;
};

const isUnfinished = (it: QueryRow) => it.workflow_state === 'queued' || it.workflow_state === 'processing';

class QueryWork {
  /** Number of calls to D1 and R2. */
  calls = 0;

  constructor(
    private readonly env: Pick<Platform, 'FILES'>,
    private readonly db: Database,
    public it: QueryRow,
  ) {}

  /** Reads the next views of the current user. @returns the text, and the progress after it */
  private async readOn(it: QueryRow, isFirst: boolean): Promise<{ text: string; after: QueryRow }> {
    const { nth_user, after_time, after_uuid, start_at, end_at, format } = it;
    this.calls += 1;
    // The end of a query is exclusive, that of a reading is not.
    const end = wireTime(Date.parse(end_at) - 1000);
    const after = after_time === null || after_uuid === null ? undefined : { time: after_time, uuid: after_uuid };
    const user_id = it.user_ids[nth_user] as number;
    const { views, next } = await viewsOf(this.env, this.db, { user_id, after, start: start_at, end, count: viewsAtOnce }, () => {
      this.calls += 1;
    });
    const place = next ? { after_time: next.time, after_uuid: next.uuid } : { nth_user: nth_user + 1, after_time: null, after_uuid: null };
    return { text: resultText(views, format, isFirst), after: { ...it, ...place } };
  }

  /**
   * Makes one step.
   * @throws Overtaken
   */
  private async commit(after: QueryRow): Promise<void> {
    const { it } = this;
    const { workflow_state, nth_user, after_time, after_uuid, pieces, size } = after;
    this.calls += 1;
    try {
      await this.db.perform([
        this.db.build
          .update(page_view_queries)
          .set({
            ...{ workflow_state, nth_user, after_time, after_uuid, pieces, size, crashes: 0, updated_at: wireTime(Date.now()) },
            step: sql`case when step = ${it.step} and workflow_state in ('queued', 'processing') then step + 1 end`,
          })
          .where(eq(page_view_queries.id, it.id)),
      ]);
    } catch (error) {
      if (/NOT NULL constraint failed: page_view_queries\.step/.test(textOfError(error))) throw new Overtaken();
      throw error;
    }
    this.it = { ...after, step: it.step + 1 };
    await breath();
  }

  /** @returns whether the query is finished */
  async goOn(mayGoOn: () => boolean): Promise<boolean> {
    while (isUnfinished(this.it)) {
      if (!mayGoOn()) return false;
      let after: QueryRow = { ...this.it, workflow_state: 'processing' };
      const texts: string[] = [];
      let length = 0;
      while (after.nth_user < after.user_ids.length && length < fullPiece && mayGoOn()) {
        const read = await this.readOn(after, after.size + length === 0);
        after = read.after;
        length += read.text.length;
        if (read.text !== '') texts.push(read.text);
      }
      if (after.nth_user >= after.user_ids.length) after = { ...after, workflow_state: 'finished' };
      if (texts.length > 0) after = await this.store(after, texts);
      await this.commit(after);
    }
    return true;
  }

  private async store(after: QueryRow, texts: readonly string[]): Promise<QueryRow> {
    const bytes = new TextEncoder().encode(texts.join(''));
    // A unique key: of two deliveries that make the same step, one is overtaken and leaves its piece until the query is deleted.
    const key = `${piecesOf(after)}${after.step}-${crypto.randomUUID()}`;
    this.calls += 1;
    await this.env.FILES.put(key, bytes);
    return { ...after, pieces: [...after.pieces, key], size: after.size + bytes.length };
  }
}

export async function runPageViewQuery({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const it = await found(db, id);
  if (!it || !isUnfinished(it)) return;
  const work = new QueryWork(env, db, it);
  try {
    if (!(await work.goOn(allowance(() => work.calls)))) await env.WORK.send({ job: 'page_view_query', ids: [id] });
  } catch (error) {
    if (error instanceof Overtaken) return;
    const failed = sql`iif(crashes + 1 >= ${mostCrashes}, 'failed', workflow_state)`;
    await db.perform([
      db.build.run(
        sql`update page_view_queries set workflow_state = ${failed}, crashes = crashes + 1 where id = ${id} and step = ${work.it.step}`,
      ),
    ]);
    const after = await found(db, id);
    if (after?.step === work.it.step && isUnfinished(after)) throw error;
    console.error(JSON.stringify({ job: 'page_view_query', page_view_query_id: id, error: textOfError(error) }));
  }
}
