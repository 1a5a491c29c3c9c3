// Sets of grading periods of an account: every endpoint, in the order of the API reference.

import { bool, idField, listOf, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { theIds } from '../../database/ids';
import type { Database } from '../../database/open';
import { del, get, patch, post } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, notFound } from '../../http/problem';
import { answer, listWithin, one, write } from '../../http/reply';
import { terms } from '../terms/table';
import { gradingPeriodSet } from './json';
import { setsOfAccount } from './policy';
import { grading_period_sets } from './table';
import { assignTerms, deleteSet, refuseErrors } from './writes';

export const about = { title: 'Grading period sets', description: 'The grading periods of terms.' };

const base = '/accounts/:account_id/grading_period_sets';
const params = {
  grading_period_set: optional(
    object({ title: optional(text), weighted: optional(bool), display_totals_for_all_grading_periods: optional(bool) }),
  ),
  enrollment_term_ids: optional(listOf(idField('term'))),
};

/** Only the root account has terms, and sets for them. */
const rootOf = (account: AccountContext): number => {
  if (account.parent_account_id !== null) throw notFound();
  return account.id;
};

/** @throws Problem 422 for terms that are not there, 404 for a set that is not there */
async function load(db: Database, account: AccountContext, termIds: readonly number[], id?: number): Promise<void> {
  const [known, sets] = await db.perform([
    db.build
      .select({ id: terms.id })
      .from(terms)
      .where(and(sql`${terms.id} in (${theIds(termIds)})`, eq(terms.account_id, account.id), eq(terms.workflow_state, 'active'))),
    db.build
      .select({ id: grading_period_sets.id })
      .from(grading_period_sets)
      .where(and(setsOfAccount(account), eq(grading_period_sets.id, id ?? 0))),
  ]);
  if (id !== undefined) found(sets[0]);
  const missing = termIds.filter((termId) => !known.some((term) => term.id === termId));
  refuseErrors(missing.length > 0 ? [`enrollment_term_ids: ${missing.join(', ')} not found`] : []);
}

const checkTitle = (title: string) =>
  refuseErrors([...(title.trim() === '' ? ["Title can't be blank"] : []), ...(title.length > 255 ? ['Title is too long'] : [])]);

export const gradingPeriodSetRoutes = [
  get(
    base,
    { can: 'manager', returns: { wrapped: 'grading_period_sets', of: gradingPeriodSet }, summary: 'List the sets of grading periods' },
    ({ account, page }) =>
      listWithin(rows(grading_period_sets, { where: setsOfAccount(account), order: ascending(grading_period_sets.id) }), (sets) => ({
        grading_period_sets: sets,
        meta: { pagination: { per_page: page.per_page }, primaryCollection: 'grading_period_sets' },
      })),
  ),

  post(
    base,
    {
      can: 'manage_account_settings',
      params,
      returns: { enveloped: 'grading_period_set', of: gradingPeriodSet },
      status: 201,
      summary: 'Create a set of grading periods',
    },
    async ({ db, account, params: { grading_period_set: given, enrollment_term_ids = [] }, now }) => {
      const account_id = rootOf(account);
      if (!given) throw badParameter('grading_period_set', 'is missing');
      checkTitle(given.title ?? '');
      await load(db, account, enrollment_term_ids);
      const newest = sql`(select max(id) from grading_period_sets)`;
      return write(
        [
          db.build.insert(grading_period_sets).values({
            account_id,
            title: given.title ?? '',
            weighted: given.weighted ?? false,
            display_totals_for_all_grading_periods: given.display_totals_for_all_grading_periods ?? false,
            created_at: now,
            updated_at: now,
          }),
          ...assignTerms({ db, now }, newest, enrollment_term_ids),
        ],
        one(rows(grading_period_sets, { where: eq(grading_period_sets.id, newest) })),
      );
    },
  ),

  patch(
    `${base}/:id`,
    { can: 'manage_account_settings', params, returns: { json: null }, status: 204, summary: 'Update a set of grading periods' },
    async ({ db, account, id, params: { grading_period_set: given = {}, enrollment_term_ids }, now }) => {
      rootOf(account);
      if (given.title !== undefined) checkTitle(given.title);
      await load(db, account, enrollment_term_ids ?? [], id);
      return write(
        [
          db.build
            .update(grading_period_sets)
            .set({ ...given, updated_at: now })
            .where(and(setsOfAccount(account), eq(grading_period_sets.id, id))),
          ...(enrollment_term_ids ? assignTerms({ db, now }, sql`${id}`, enrollment_term_ids) : []),
        ],
        answer(null),
      );
    },
  ),

  del(
    `${base}/:id`,
    { can: 'manage_account_settings', returns: { json: null }, status: 204, summary: 'Delete a set of grading periods' },
    async ({ db, account, id, now }) => {
      rootOf(account);
      await load(db, account, [], id);
      return write(deleteSet({ db, now }, id), answer(null));
    },
  ),
];
