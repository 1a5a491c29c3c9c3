// Blueprint syncs from the side of an associated course.

import { ChangeRecord } from '@carrel/shared/resources/blueprint';
import { and, eq, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { ascending, descending, rows } from '../../http/listing';
import { found } from '../../http/problem';
import { answer, judged, list, one } from '../../http/reply';
import { blueprintImport, blueprintSubscription } from '../blueprint_templates/json';
import { changeRecord } from '../blueprint_templates/records';
import { blueprint_imports, blueprint_migrations, blueprint_subscriptions, type Conflict } from '../blueprint_templates/table';

export const about = { title: 'Blueprint subscriptions', description: 'The blueprint of a course, and its syncs.' };

const base = '/courses/:course_id/blueprint_subscriptions';
type There = Pick<Call, 'db'> & { readonly course: NonNullable<Call['course']>; readonly path: { readonly subscription_id: string } };

/** The subscription of the path: `default`, or its id. */
const named = ({ course, path }: Pick<There, 'course' | 'path'>) =>
  and(
    eq(blueprint_subscriptions.course_id, course.id),
    eq(blueprint_subscriptions.workflow_state, 'active'),
    path.subscription_id === 'default' ? undefined : eq(blueprint_subscriptions.id, readId(path.subscription_id) ?? 0),
  );

const ofSubscription = (call: There) =>
  sql`${blueprint_imports.subscription_id} = (select blueprint_subscriptions.id from blueprint_subscriptions where ${named(call)})`;

export const blueprintSubscriptionRoutes = [
  get(base, { can: 'manage', returns: [blueprintSubscription], summary: 'List blueprint subscriptions' }, ({ course }) =>
    list(
      rows(blueprint_subscriptions, {
        where: and(eq(blueprint_subscriptions.course_id, course.id), eq(blueprint_subscriptions.workflow_state, 'active')),
        order: ascending(blueprint_subscriptions.id),
      }),
    ),
  ),

  get(
    `${base}/:subscription_id/migrations`,
    { can: 'manage', returns: [blueprintImport], summary: 'List blueprint imports of a course' },
    (call) =>
      judged(
        call.db.build.select().from(blueprint_subscriptions).where(named(call)),
        ([subscription]) => void found(subscription),
        list(rows(blueprint_imports, { where: ofSubscription(call), order: descending(blueprint_imports.id) })),
      ),
  ),

  get(`${base}/:subscription_id/migrations/:id`, { can: 'manage', returns: blueprintImport, summary: 'Get a blueprint import' }, (call) =>
    one(rows(blueprint_imports, { where: and(ofSubscription(call), eq(blueprint_imports.id, call.id)) })),
  ),

  get(
    `${base}/:subscription_id/migrations/:id/details`,
    { can: 'manage', returns: { json: ChangeRecord }, summary: 'Get the details of a blueprint import' },
    async (call) => {
      const { db, course, id, origin } = call;
      const [[query], [migration], [from]] = await db.perform([
        db.build
          .select()
          .from(blueprint_imports)
          .where(and(ofSubscription(call), eq(blueprint_imports.id, id))),
        db.build
          .select()
          .from(blueprint_migrations)
          .where(sql`${blueprint_migrations.id} = (select migration_id from blueprint_imports where id = ${id})`),
        db.build.all<{ course_id: number }>(
          sql`select b.course_id from blueprint_templates b join blueprint_migrations m on m.template_id = b.id join blueprint_imports i on i.migration_id = m.id where i.id = ${id}`,
        ),
      ]);
      const exceptions = [{ course_id: course.id, conflicts: found(query).conflicts as readonly Conflict[] }];
      return answer(found(migration).changes.map((change) => changeRecord(change, from?.course_id ?? 0, origin, exceptions)));
    },
  ),
];
