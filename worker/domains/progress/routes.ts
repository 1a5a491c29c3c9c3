// Progress: every endpoint, in the order of the API reference.

import { optional, text } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { get, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, notFound, problem, unauthorized } from '../../http/problem';
import { one, row, write } from '../../http/reply';
import { progressJson } from './json';
import { failProgress } from './progress';
import { progress } from './table';

export const about = { title: 'Progress', description: 'The state of background jobs.' };

const contextOf = (path: Record<string, string>, type: string) =>
  sql`select context_id from progress where id = ${readId(path.id ?? '') ?? 0} and context_type = ${type}`;
/** The context of a Progress: a course, account or user; an assignment or content migration means its course. */
const within = (path: Record<string, string>) => ({
  course: sql`${contextOf(path, 'Course')} union select course_id from assignments where id in (${contextOf(path, 'Assignment')})
    union select m.context_id from content_migrations m where m.context_type = 'Course' and m.id in (${contextOf(path, 'ContentMigration')})`,
  account: contextOf(path, 'Account'),
  user: contextOf(path, 'User'),
});

type Around = Pick<Call, 'me' | 'course' | 'account' | 'user' | 'institution'>;
const isRootAdmin = ({ me, institution }: Around) => me.adminLinks.some((link) => link.account_id === institution.root.id);

/** The user who started it, and managers of its context; read access is not enough. */
const mayCancel = (call: Around, work: { readonly user_id: number | null }): boolean =>
  work.user_id === call.me.id || Boolean(call.course?.readsAsAdmin || call.account?.isAdmin || call.user?.isMe) || isRootAdmin(call);

/** @throws Problem 404 for an unknown Progress, or one whose context the caller may not read */
async function readable(call: Around & Pick<Call, 'db'> & { id: number }) {
  const [[query]] = await call.db.perform([call.db.build.select().from(progress).where(eq(progress.id, call.id))]);
  const work = found(query);
  const readsCourse = work.context_type === 'ContentMigration' ? call.course?.readsAsAdmin : call.course?.canRead;
  const mayRead = work.user_id === call.me.id || readsCourse || call.account?.isAdmin || call.user?.isMe || isRootAdmin(call);
  if (!mayRead) throw notFound();
  return work;
}

export const progressRoutes = [
  get('/progress/:id', { can: 'user', within, fresh: true, returns: progressJson, summary: 'Get the progress of a job' }, async (call) =>
    row(await readable(call)),
  ),

  post(
    '/progress/:id/cancel',
    { can: 'user', within, params: { message: optional(text) }, returns: progressJson, summary: 'Cancel a job' },
    async (call) => {
      const work = await readable(call);
      if (!mayCancel(call, work)) throw unauthorized();
      if (work.workflow_state === 'completed' || work.workflow_state === 'failed') throw problem(400, 'This job has already ended');
      const message = call.params.message || 'canceled';
      return write([failProgress(call.db, call.id, message, call.now)], one(rows(progress, { where: eq(progress.id, call.id) })));
    },
  ),
];
