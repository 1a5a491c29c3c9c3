// Copies as queued work: each by itself. A delivery works for a while and sends the next message, so that none lasts longer than it may.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { publishCourse } from '../courses/publishing';
import { Overtaken, textOfError } from '../sis_imports/work';
import { course_copies } from './table';
import { type CopyRow, CopyWork } from './work';

const longest = 20_000;
const mostCalls = 600;
/** So often the same step may break off before the copy is given up. */
const mostCrashes = 4;

const isUnfinished = ({ workflow_state }: CopyRow) => workflow_state === 'created' || workflow_state === 'started';

const found = async (db: Database, id: number): Promise<CopyRow | undefined> => {
  const [[it]] = await db.perform([db.build.select().from(course_copies).where(eq(course_copies.id, id))]);
  return it;
};

export async function copyCourse({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  const started = Date.now();
  const db = open(env.DB, newMeter(), 'first-primary');
  const it = await found(db, id);
  if (!it || !isUnfinished(it)) return;
  const work = new CopyWork(db, it);
  try {
    const mayGoOn = () => Date.now() - started < longest && work.calls < mostCalls;
    const hasEnded = await work.goOn(mayGoOn, async () => it.choice.publish && publishCourse(it.course_id, it.user_id, env));
    if (!hasEnded) await env.WORK.send({ job: 'course_copy', ids: [id] });
  } catch (error) {
    if (error instanceof Overtaken) return;
    await db.perform([db.build.run(sql`update course_copies set crashes = crashes + 1 where id = ${id} and step = ${work.it.step}`)]);
    const after = await found(db, id);
    if (!after || after.step !== work.it.step || !isUnfinished(after)) return;
    if (after.crashes < mostCrashes) throw error;
    const message = textOfError(error).slice(0, 500);
    console.error(JSON.stringify({ job: 'course_copy', course_copy_id: id, error: message }));
    await new CopyWork(db, after).end('failed', 'The content could not be copied.');
  }
}

/** A message may be lost, and a delivery may end in the dead-letter queue: what has stood still is taken up again. Called by the clock. */
export async function resumeCopies(env: Pick<Platform, 'WORK'>, db: Database, now: string): Promise<void> {
  const still = wireTime(Date.parse(now) - 2 * 60_000);
  const [waiting] = await db.perform([
    db.build.all<{ id: number }>(
      sql`select id from course_copies where workflow_state in ('created', 'started') and updated_at < ${still} order by updated_at limit 10`,
    ),
  ]);
  for (const { id } of waiting) await env.WORK.send({ job: 'course_copy', ids: [id] });
}
