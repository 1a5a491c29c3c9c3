// Work in the background, for those who run the service: what is under way, and what was given up.

import { choice } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { del, get, post } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { found, problem } from '../../http/problem';
import { list, row, settled, write } from '../../http/reply';
import { progress as progressJson } from '../progress/json';
import { progress } from '../progress/table';
import { deadLetter } from './json';
import { mayRun, mayWatch } from './policy';
import { dead_letters as letters } from './table';

const base = '/accounts/:account_id/dead_letters';
const states = ['queued', 'running', 'completed', 'failed'] as const;

export const jobRoutes = [
  get(
    '/accounts/:account_id/jobs',
    {
      can: mayWatch,
      params: { workflow_state: choice(...states) },
      returns: [progressJson],
      summary: 'List work in the background, the newest first',
    },
    ({ params: { workflow_state } }) =>
      list(rows(progress, { where: workflow_state && eq(progress.workflow_state, workflow_state), order: descending(progress.id) })),
  ),

  get(base, { can: mayWatch, returns: [deadLetter], summary: 'List work that was given up, the newest first' }, () =>
    list(rows(letters, { where: undefined, order: descending(letters.id) })),
  ),

  post(`${base}/:id/send_again`, { can: mayRun, returns: deadLetter, summary: 'Send work again that was given up' }, async (call) => {
    const { db, env, id, now } = call;
    const its = eq(letters.id, id);
    const [known, moved] = await db.perform([
      db.build.select().from(letters).where(its),
      db.build
        .update(letters)
        .set({ workflow_state: 'sent_again', updated_at: now })
        .where(and(its, eq(letters.workflow_state, 'dead')))
        .returning(),
      // Work that has failed is never taken up, so it is queued work again before its message is on its way.
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
    if (moved.length === 0) throw problem(400, 'This has been sent again already');
    try {
      await env.WORK.send(message);
    } catch (error) {
      await db.perform([db.build.update(letters).set({ workflow_state: 'dead', updated_at: now }).where(its)]);
      throw error;
    }
    return settled(row(moved[0]));
  }),

  del(`${base}/:id`, { can: mayRun, returns: deadLetter, summary: 'Let work go that was given up' }, async ({ db, id }) => {
    const [known] = await db.perform([db.build.select().from(letters).where(eq(letters.id, id))]);
    return write([db.build.delete(letters).where(eq(letters.id, id))], row(found(known[0])));
  }),
];
