// Custom statuses of submissions: every endpoint. Canvas has them in GraphQL only, whose resolvers call these.

import { optional, text } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, found, notFound } from '../../http/problem';
import { list, one, row, write } from '../../http/reply';
import { customGradeStatus } from './json';
import { checkStatus, countOfStatuses, mostStatuses, statusesOf, tooMany } from './policy';
import { custom_grade_statuses } from './table';

export const about = {
  title: 'Custom grade statuses',
  description: 'Statuses that the institution defines for submissions beside late, missing, extended and excused.',
};

const ofAccount = '/accounts/:account_id/custom_grade_statuses';
const params = { name: optional(text), color: optional(text) };
const summary = 'List custom grade statuses';

const listed = (root: number) => list(rows(custom_grade_statuses, { where: statusesOf(root), order: ascending(custom_grade_statuses.id) }));

/** @throws Problem 404 for another account than the root account, which alone has statuses */
function rootOf({ id, parent_account_id }: AccountContext): number {
  if (parent_account_id !== null) throw notFound();
  return id;
}

export const customGradeStatusRoutes = [
  get(ofAccount, { can: 'read', returns: [customGradeStatus], summary }, ({ institution }) => listed(institution.root.id)),

  get('/courses/:course_id/custom_grade_statuses', { can: 'read', returns: [customGradeStatus], summary }, ({ institution }) =>
    listed(institution.root.id),
  ),

  get(`${ofAccount}/:id`, { can: 'read', returns: customGradeStatus, summary: 'Get a custom grade status' }, ({ id, institution }) =>
    one(rows(custom_grade_statuses, { where: and(eq(custom_grade_statuses.id, id), statusesOf(institution.root.id)) })),
  ),

  post(
    ofAccount,
    { can: 'manage_account_settings', params, returns: customGradeStatus, summary: 'Create a custom grade status' },
    ({ db, account, params: { name, color }, now }) => {
      const account_id = rootOf(account);
      if (name === undefined) throw badParameter('name', 'is missing');
      if (color === undefined) throw badParameter('color', 'is missing');
      checkStatus({ name, color });
      return write(
        [
          db.build.insert(custom_grade_statuses).values({
            account_id,
            name: sql`iif(${countOfStatuses(account_id)} < ${sql.raw(String(mostStatuses))}, ${name}, null)`,
            color,
            created_at: now,
            updated_at: now,
          }),
        ],
        one(rows(custom_grade_statuses, { where: eq(custom_grade_statuses.id, sql`last_insert_rowid()`) })),
        tooMany,
      );
    },
  ),

  put(
    `${ofAccount}/:id`,
    { can: 'manage_account_settings', params, returns: customGradeStatus, summary: 'Update a custom grade status' },
    ({ db, account, id, params: { name, color }, now }) => {
      const itself = and(eq(custom_grade_statuses.id, id), statusesOf(rootOf(account)));
      // A blank color is none that was sent.
      const given = { name, color: color?.trim() || undefined };
      checkStatus(given);
      return write(
        [
          db.build
            .update(custom_grade_statuses)
            .set({ ...given, updated_at: now })
            .where(itself),
        ],
        one(rows(custom_grade_statuses, { where: itself })),
      );
    },
  ),

  del(
    `${ofAccount}/:id`,
    { can: 'manage_account_settings', returns: customGradeStatus, summary: 'Delete a custom grade status' },
    async ({ db, account, id, now }) => {
      const itself = and(eq(custom_grade_statuses.id, id), statusesOf(rootOf(account)));
      const [[there]] = await db.perform([db.build.select().from(custom_grade_statuses).where(itself)]);
      return write(
        [db.build.update(custom_grade_statuses).set({ workflow_state: 'deleted', updated_at: now }).where(itself)],
        row(found(there)),
      );
    },
  ),
];
