// Blueprint templates: endpoints from the side of the blueprint course.

import { ChangeRecord } from '@carrel/shared/resources/blueprint';
import { Success } from '@carrel/shared/resources/enrollment';
import { bool, idField, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { get, post, put } from '../../http/endpoint';
import { claimRow } from '../../http/idempotency';
import { ascending, descending, rows } from '../../http/listing';
import { found, notFound, problem } from '../../http/problem';
import { answer, judged, list, one, row, settled, write } from '../../http/reply';
import { courses } from '../courses/table';
import { associate } from './associated_courses';
import { type Changed, inSequence, recordsOf, selectChanges } from './changes';
import { associatedCourse, blueprintMigration, blueprintTemplate } from './json';
import { changeRecord } from './records';
import { restrict } from './restrict_item';
import { restrictionParams } from './restrictions';
import { blueprint_migrations, blueprint_subscriptions, blueprint_templates } from './table';

export const about = { title: 'Blueprint templates', description: 'Blueprint courses: their associated courses, restrictions and syncs.' };

const base = '/courses/:course_id/blueprint_templates/:template_id';
type There = Pick<Call, 'db'> & { readonly course: NonNullable<Call['course']>; readonly path: { readonly template_id: string } };

/** The template of the path: `default`, or its id. */
const named = ({ course, path }: Pick<There, 'course' | 'path'>): SQL => {
  const id = path.template_id === 'default' ? undefined : (readId(path.template_id) ?? 0);
  return sql`blueprint_templates.course_id = ${course.id} and blueprint_templates.workflow_state = 'active'${id === undefined ? sql`` : sql` and blueprint_templates.id = ${id}`}`;
};

const selectTemplate = (call: There) => call.db.build.select().from(blueprint_templates).where(named(call));
const isThere = ([template]: readonly unknown[]) => void found(template);

const ofTemplate = (call: There) => sql`${blueprint_migrations.template_id} in (select id from blueprint_templates where ${named(call)})`;

const mostUnsynced = 150;

export const blueprintTemplateRoutes = [
  get(base, { can: 'manage', returns: blueprintTemplate, summary: 'Get a blueprint' }, (call) =>
    one(rows(blueprint_templates, { where: named(call) })),
  ),

  get(
    `${base}/associated_courses`,
    { can: 'manage', returns: [associatedCourse], summary: 'List associated courses of a blueprint' },
    (call) =>
      judged(
        selectTemplate(call),
        isThere,
        list(
          rows(courses, {
            // Starts from the subscriptions, so that only associated courses are read.
            from: blueprint_subscriptions,
            join: (select) => select.innerJoin(courses, eq(courses.id, blueprint_subscriptions.course_id)),
            where: sql`${blueprint_subscriptions.template_id} = (select blueprint_templates.id from blueprint_templates where ${named(call)}) and ${blueprint_subscriptions.workflow_state} = 'active' and ${courses.workflow_state} <> 'deleted'`,
            order: ascending(blueprint_subscriptions.course_id),
          }),
        ),
      ),
  ),

  put(
    `${base}/update_associations`,
    {
      can: (call) => call.course?.can('manage_master_courses') === true && call.course.can('manage_courses_admin'),
      params: { course_ids_to_add: optional(listOf(referenceTo('course'))), course_ids_to_remove: optional(listOf(referenceTo('course'))) },
      returns: { json: Success },
      summary: 'Update associated courses of a blueprint',
    },
    async (call) => {
      const { course_ids_to_add: add, course_ids_to_remove: remove } = call.params;
      return write(await associate(call, selectTemplate(call), { add, remove }), answer({ success: true }));
    },
  ),

  post(
    `${base}/migrations`,
    {
      can: 'manage',
      params: {
        comment: optional(text),
        send_notification: optional(bool),
        copy_settings: optional(bool),
        send_item_notifications: optional(bool),
        publish_after_initial_sync: optional(bool),
      },
      returns: blueprintMigration,
      summary: 'Begin a blueprint sync',
    },
    async (call) => {
      const { db, me, now, env, idempotency } = call;
      const { comment = null, ...options } = call.params;
      const [[template], [followers]] = await db.perform([
        selectTemplate(call),
        db.build.all<{ n: number }>(
          sql`select count(*) as n from blueprint_subscriptions s where s.workflow_state = 'active' and s.template_id in (select id from blueprint_templates where ${named(call)})`,
        ),
      ]);
      const template_id = found(template).id;
      if (!followers || followers.n === 0) throw problem(400, 'No associated courses to migrate to');
      const results = await db
        .perform([
          db.build.insert(blueprint_migrations).values({ template_id, user_id: me.id, comment, options, created_at: now, updated_at: now }),
          db.build.select().from(blueprint_migrations).where(eq(blueprint_migrations.id, sql`last_insert_rowid()`)),
          ...(idempotency
            ? [claimRow(db, { user_id: me.id, idempotency, now, row_ids: sql`(select json_array(last_insert_rowid()))` })]
            : []),
        ])
        .catch((error: unknown) => {
          if (/blueprint_migrations\.template_id/.test(`${error} ${(error as Error).cause}`))
            throw problem(400, 'Migration currently running');
          throw error;
        });
      const [made] = results[1] as (typeof blueprint_migrations.$inferSelect)[];
      if (made) await env.WORK.send({ job: 'blueprint_sync', ids: [made.id] });
      return settled(row(made && { ...made, who: me.user }));
    },
  ),

  get(`${base}/migrations`, { can: 'manage', returns: [blueprintMigration], summary: 'List blueprint syncs' }, (call) =>
    judged(
      selectTemplate(call),
      isThere,
      list(rows(blueprint_migrations, { where: ofTemplate(call), order: descending(blueprint_migrations.id) })),
    ),
  ),

  get(`${base}/migrations/:id`, { can: 'manage', fresh: true, returns: blueprintMigration, summary: 'Get a blueprint sync' }, (call) =>
    one(rows(blueprint_migrations, { where: and(ofTemplate(call), eq(blueprint_migrations.id, call.id)) })),
  ),

  get(
    `${base}/migrations/:id/details`,
    { can: 'manage', returns: { json: ChangeRecord }, summary: 'Get the details of a blueprint sync' },
    async (call) => {
      const { db, course, id, origin } = call;
      const [[migration], imports] = await db.perform([
        db.build
          .select()
          .from(blueprint_migrations)
          .where(and(ofTemplate(call), eq(blueprint_migrations.id, id))),
        db.build.all<{ course_id: number; conflicts: string }>(
          sql`select course_id, conflicts from blueprint_imports where migration_id = ${id} order by course_id`,
        ),
      ]);
      const exceptions = imports.map(({ course_id, conflicts }) => ({ course_id, conflicts: JSON.parse(conflicts) as [] }));
      return answer(found(migration).changes.map((change) => changeRecord(change, course.id, origin, exceptions)));
    },
  ),

  get(
    `${base}/unsynced_changes`,
    { can: 'manage', returns: { json: ChangeRecord }, summary: 'List unsynced changes of a blueprint' },
    async (call) => {
      const { db, course, origin } = call;
      const last = sql`select max(upto_seq) from blueprint_migrations where ${ofTemplate(call)}`;
      const [[template], [before], ...changed] = await db.perform([
        selectTemplate(call),
        db.build.all<{ last: number | null }>(sql`select (${last}) as last`),
        ...selectChanges(db, course.id, last),
      ]);
      if (!template) throw notFound();
      if (before?.last === null) return answer([{ asset_name: course.name, change_type: 'initial_sync' }]);
      return answer(
        recordsOf(inSequence(changed as Changed[][]))
          .slice(0, mostUnsynced)
          .map((change) => changeRecord(change, course.id, origin)),
      );
    },
  ),

  put(
    `${base}/restrict_item`,
    {
      can: 'manage',
      params: {
        content_type: optional(text),
        content_id: optional(idField('content')),
        restricted: optional(bool),
        restrictions: optional(restrictionParams),
      },
      returns: { json: Success },
      summary: 'Set restrictions on a blueprint item',
    },
    async (call) => {
      if (!call.course.is_blueprint) throw notFound();
      return write(await restrict(call, call.params), answer({ success: true }));
    },
  ),
];
