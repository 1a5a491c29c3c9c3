// Background jobs, for callers who run the service: active jobs, and failed ones.

import { choice } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { del, get, post } from '../../http/endpoint';
import { ascending, descending, rows } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { list, row, settled, write } from '../../http/reply';
import { progressJson } from '../progress/json';
import { progress } from '../progress/table';
import { chore, deadLetter } from './json';
import { mayRun, mayWatch } from './policy';
import { chores, dead_letters as letters } from './table';

export const about = { title: 'Jobs', description: 'Background jobs: failed jobs and how to run them again.' };

const base = '/accounts/:account_id/dead_letters';
const states = ['queued', 'running', 'completed', 'failed'] as const;

export const jobRoutes = [
  get(
    '/accounts/:account_id/jobs',
    {
      can: mayWatch,
      params: { workflow_state: choice(...states) },
      returns: [progressJson],
      summary: 'List background jobs, newest first',
    },
    ({ params: { workflow_state } }) =>
      list(rows(progress, { where: workflow_state && eq(progress.workflow_state, workflow_state), order: descending(progress.id) })),
  ),

  get(
    '/accounts/:account_id/chores',
    { can: mayWatch, returns: [chore], per_page: 100, summary: 'List scheduled chores with their last runs' },
    () => list(rows(chores, { where: undefined, order: ascending(chores.name) })),
  ),

  get(base, { can: mayWatch, returns: [deadLetter], summary: 'List failed jobs, newest first' }, () =>
    list(rows(letters, { where: undefined, order: descending(letters.id) })),
  ),

  post(`${base}/:id/send_again`, { can: mayRun, returns: deadLetter, summary: 'Retry a failed job' }, async (call) => {
    const { db, env, id, now } = call;
    const its = eq(letters.id, id);
    const [known, moved] = await db.perform([
      db.build.select().from(letters).where(its),
      db.build
        .update(letters)
        .set({ workflow_state: 'sent_again', updated_at: now })
        .where(and(its, eq(letters.workflow_state, 'dead')))
        .returning(),
      // A failed progress is never resumed, so it is set to queued before the message is sent.
      db.build
        .update(progress)
        .set({ workflow_state: 'queued', message: null, updated_at: now })
        .where(
          and(
            eq(progress.workflow_state, 'failed'),
            sql`${progress.id} = (select message ->> 'progress_id' from dead_letters where id = ${id})`,
          ),
        ),
    ]);
    const { message } = found(known[0]);
    if (moved.length === 0) throw problem(400, 'This job has already been retried');
    try {
      await env.WORK.send(message);
    } catch (error) {
      await db.perform([db.build.update(letters).set({ workflow_state: 'dead', updated_at: now }).where(its)]);
      throw error;
    }
    return settled(row(moved[0]));
  }),

  del(`${base}/:id`, { can: mayRun, returns: deadLetter, summary: 'Delete a failed job' }, async ({ db, id }) => {
    const [known] = await db.perform([db.build.select().from(letters).where(eq(letters.id, id))]);
    return write([db.build.delete(letters).where(eq(letters.id, id))], row(found(known[0])));
  }),
];
