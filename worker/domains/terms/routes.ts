// Enrollment terms: every endpoint, in the order of the API reference.

import { bool, choices, endTime, mapOf, maybe, object, optional, text, time, word } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { idOf, termAt } from '../../contexts/references';
import { contains } from '../../database/ids';
import type { Database } from '../../database/open';
import { del, get, post, put } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { badParameter, found, invalid, notFound } from '../../http/problem';
import { list, one, write } from '../../http/reply';
import { checkOrder, keptOverrides } from './dates';
import { term } from './json';
import { terms } from './table';

export const about = { title: 'Enrollment terms', description: 'Terms of an institution, with their dates.' };

const base = '/accounts/:account_id/terms';
const include = ['overrides', 'course_count'] as const;
const params = {
  enrollment_term: optional(
    object({
      name: optional(text),
      start_at: optional(maybe(time)),
      end_at: optional(maybe(endTime)),
      sis_term_id: optional(maybe(text)),
      sis_source_id: optional(maybe(text)),
      overrides: optional(mapOf(object({ start_at: optional(maybe(time)), end_at: optional(maybe(endTime)) }))),
    }),
  ),
  override_sis_stickiness: optional(bool),
};

/** Only the root account has terms. */
const rootOf = (account: AccountContext): number => {
  if (account.parent_account_id !== null) throw notFound();
  return account.id;
};

const byDate = descending(sql`coalesce(${terms.start_at}, ${terms.created_at})`, terms.id);

/** `default`, `current`, an id or a SIS id. */
function named(account: AccountContext, given: string, now: string): SQL | undefined {
  const active = and(eq(terms.account_id, rootOf(account)), eq(terms.workflow_state, 'active'));
  if (given !== 'current') return and(active, eq(terms.id, sql`(${idOf('term', given)})`));
  return and(active, eq(terms.id, sql`(${termAt(sql`${now}`)})`));
}

const sisTaken = { 'terms.sis_term_id': () => invalid('sis_source_id', 'taken') };

const load = async (db: Database, where: SQL | undefined) => found((await db.perform([db.build.select().from(terms).where(where)]))[0][0]);

export const termRoutes = [
  get(
    base,
    {
      can: 'manager',
      include,
      params: { workflow_state: choices('active', 'deleted', 'all'), term_name: optional(word) },
      returns: { wrapped: 'enrollment_terms', of: term },
      summary: 'List enrollment terms',
    },
    ({ account, params }) => {
      const states = params.workflow_state?.length ? params.workflow_state : ['active'];
      const wanted = (['active', 'deleted'] as const).filter((state) => states.includes(state) || states.includes('all'));
      return list(
        rows(terms, {
          where: and(
            eq(terms.account_id, rootOf(account)),
            wanted.length === 2 ? undefined : eq(terms.workflow_state, wanted[0] ?? 'active'),
            params.term_name ? contains(terms.name, params.term_name) : undefined,
          ),
          order: byDate,
        }),
      );
    },
  ),

  get(`${base}/:term`, { can: 'manager', include, returns: term, summary: 'Get an enrollment term' }, ({ account, path, now }) =>
    one(rows(terms, { where: named(account, path.term, now) })),
  ),

  post(
    base,
    { can: 'manage_account_settings', params, returns: term, summary: 'Create an enrollment term' },
    ({ db, account, params, now }) => {
      const account_id = rootOf(account);
      const given = params.enrollment_term;
      if (!given) throw badParameter('enrollment_term', 'is missing');
      if ((given.name?.length ?? 0) > 255) throw invalid('name', 'too_long');
      checkOrder(given);
      return write(
        [
          db.build.insert(terms).values({
            account_id,
            name: given.name || 'Term',
            start_at: given.start_at,
            end_at: given.end_at,
            sis_term_id: account.can('manage_sis') ? (given.sis_term_id ?? given.sis_source_id) : undefined,
            overrides: keptOverrides(given.overrides ?? {}),
            created_at: now,
            updated_at: now,
          }),
        ],
        one(rows(terms, { where: eq(terms.id, sql`last_insert_rowid()`) })),
        sisTaken,
      );
    },
  ),

  put(
    `${base}/:term`,
    { can: 'manage_account_settings', params, returns: term, summary: 'Update an enrollment term' },
    async ({ db, account, path, params, now }) => {
      if (!params.enrollment_term) throw badParameter('enrollment_term', 'is missing');
      const before = await load(db, named(account, path.term, now));
      // With `override_sis_stickiness=false`, values changed by hand are kept.
      const stuck = params.override_sis_stickiness === false ? (before.stuck_sis_fields ?? '') : '';
      const given = Object.fromEntries(
        Object.entries(params.enrollment_term).filter(([field]) => !stuck.includes(`,${field},`)),
      ) as typeof params.enrollment_term;
      if ((given.name?.length ?? 0) > 255) throw invalid('name', 'too_long');
      checkOrder({
        start_at: given.start_at === undefined ? before.start_at : given.start_at,
        end_at: given.end_at === undefined ? before.end_at : given.end_at,
      });
      const sis = given.sis_term_id === undefined ? given.sis_source_id : given.sis_term_id;
      return write(
        [
          db.build
            .update(terms)
            .set({
              name: given.name || undefined,
              start_at: given.start_at,
              end_at: given.end_at,
              sis_term_id: account.can('manage_sis') ? sis : undefined,
              overrides: given.overrides && keptOverrides(given.overrides),
              updated_at: now,
            })
            .where(eq(terms.id, before.id)),
        ],
        one(rows(terms, { where: eq(terms.id, before.id) })),
        sisTaken,
      );
    },
  ),

  del(
    `${base}/:term`,
    { can: 'manage_account_settings', returns: term, summary: 'Delete an enrollment term' },
    async ({ db, account, path, now }) => {
      const isUsed = sql`exists (select 1 from courses c where c.enrollment_term_id = terms.id and c.workflow_state <> 'deleted')`;
      const where = named(account, path.term, now);
      const [[gone]] = await db.perform([
        db.build
          .select({ id: terms.id, is_default: terms.is_default, isUsed: sql<number>`${isUsed}`.as('isUsed') })
          .from(terms)
          .where(where),
      ]);
      if (found(gone).is_default) throw invalid('workflow_state', 'invalid', 'Cannot delete the default term');
      if (found(gone).isUsed) throw invalid('workflow_state', 'invalid', 'Cannot delete a term with active courses');
      const { id } = found(gone);
      return write(
        [
          db.build
            .update(terms)
            .set({ workflow_state: 'deleted', updated_at: now })
            .where(and(eq(terms.id, id), sql`not ${isUsed}`)),
        ],
        one(rows(terms, { where: eq(terms.id, id) })),
      );
    },
  ),
];
