// Copies as queued work, one job each. A delivery works for a limited time and then queues the next, to stay within the time limit.

import { eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { allowance, mostCrashes, Overtaken, type ResumableWork, textOfError } from '../../steps';
import { publishCourse } from '../courses/publishing';
import { countCopies, countedKinds } from './counted_copies';
import { course_copies } from './table';
import { type CopyRow, CopyWork } from './work';

export const unfinishedCopies: ResumableWork = { job: 'course_copy', table: 'course_copies', unfinished: ['created', 'started'] };

const isUnfinished = ({ workflow_state }: CopyRow) => unfinishedCopies.unfinished.includes(workflow_state);

const found = async (db: Database, id: number): Promise<CopyRow | undefined> => {
  const [[it]] = await db.perform([db.build.select().from(course_copies).where(eq(course_copies.id, id))]);
  return it;
};

export async function copyCourse({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const it = await found(db, id);
  // The job of a content migration makes the steps of its copy.
  if (!it || !isUnfinished(it) || it.purpose === 'migration') return;
  const work = new CopyWork(db, it);
  try {
    const mayGoOn = allowance(() => work.calls);
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
    const [counts] = await db.perform([countCopies(db, after.course_id, id)]);
    const copied = counts.length === 0 ? '' : ` Copied before: ${countedKinds(counts)}. Another copy completes them.`;
    await new CopyWork(db, after).end('failed', `The content could not be copied.${copied}`);
  }
}
