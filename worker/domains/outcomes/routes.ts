// Outcomes: every endpoint, in the order of the API reference. Groups and links are in groups, results in results.

import { bool, optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { get, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, notFound, unauthorized } from '../../http/problem';
import { judged, one, write } from '../../http/reply';
import { presentOutcome } from '../../rules/available_outcomes';
import { editsOutcomes } from './context';
import { outcomeColumnsOf, outcomeParams } from './input';
import { outcome } from './json';
import { isMemberBelow } from './policy';
import { learning_outcome_links, learning_outcomes } from './table';

export const about = { title: 'Outcomes', description: 'What students are to learn, in groups, and how well they have learned it.' };

/** The course or account to which the outcome belongs. */
const around = ({ id = '' }: Record<string, string>) => {
  const placed = (type: 'Course' | 'Account') =>
    sql`select o.context_id from learning_outcomes o where o.id = ${id} and o.context_type = ${type}`;
  return { course: placed('Course'), account: placed('Account') };
};

type AtOutcome = Pick<Call, 'db' | 'me' | 'institution' | 'course' | 'account'> & { readonly id: number };

const only = (id: number) => and(eq(learning_outcomes.id, id), presentOutcome);

const outcomeAccess = (call: AtOutcome) =>
  call.db.build
    .select({
      row: learning_outcomes,
      is_member:
        sql<number>`(${learning_outcomes.context_type} = 'Global' or (${learning_outcomes.context_type} = 'Account' and ${isMemberBelow(call, sql`${learning_outcomes.context_id}`)}))`.as(
          'is_member',
        ),
    })
    .from(learning_outcomes)
    .where(only(call.id));

type Access = { readonly row: typeof learning_outcomes.$inferSelect; readonly is_member: number };

/** @throws Problem 404 if there is no such outcome, or the caller may not know of it */
function readable(access: Access | undefined, { course, account }: AtOutcome): Access['row'] {
  const { row, is_member } = found(access);
  if (is_member !== 1 && !course?.canRead && !account?.isAdmin) throw notFound();
  return row;
}

export const outcomeRoutes = [
  get(
    '/outcomes/:id',
    { within: around, can: 'user', params: { add_defaults: optional(bool) }, returns: outcome, summary: 'Get an outcome' },
    (call) =>
      judged(outcomeAccess(call), ([access]) => void readable(access, call), one(rows(learning_outcomes, { where: only(call.id) }))),
  ),

  put(
    '/outcomes/:id',
    { within: around, can: 'user', params: outcomeParams, returns: outcome, summary: 'Update an outcome' },
    async (call) => {
      const { db, id, now, params } = call;
      const [[access]] = await db.perform([outcomeAccess(call)]);
      const before = readable(access, call);
      if (!editsOutcomes(call, before)) throw unauthorized();
      const values = outcomeColumnsOf(params, before);
      const retitled =
        values.title === before.title
          ? []
          : [
              db.build
                .update(learning_outcome_links)
                .set({ title: values.title })
                .where(eq(learning_outcome_links.learning_outcome_id, id)),
            ];
      return write(
        [
          db.build
            .update(learning_outcomes)
            .set({ ...values, updated_at: now })
            .where(only(id)),
          ...retitled,
        ],
        one(rows(learning_outcomes, { where: only(id) })),
      );
    },
  ),
];
