// Blueprints as clients see them.

import { AssociatedCourse, BlueprintMigration, BlueprintSubscription, BlueprintTemplate } from '@carrel/shared/resources/blueprint';
import { sql } from 'drizzle-orm';
import { withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { courses } from '../courses/table';
import { type DisplayRow, displayColumn, userDisplay } from '../users/display';
import { blueprint_imports, blueprint_migrations, blueprint_subscriptions, blueprint_templates } from './table';

type MigrationRow = RowOf<typeof blueprint_migrations>;
type ImportRow = RowOf<typeof blueprint_imports>;

const migrationJson = (row: MigrationRow, who: DisplayRow | null, { origin }: Pick<Call, 'origin'>) => ({
  id: row.id,
  template_id: row.template_id,
  user_id: row.user_id,
  user: userDisplay(who ?? undefined, origin),
  workflow_state: row.workflow_state,
  created_at: row.created_at,
  exports_started_at: row.exports_started_at,
  imports_queued_at: row.imports_queued_at,
  imports_completed_at: row.imports_completed_at,
  comment: row.comment,
});

/** A sync from the side of the blueprint. */
export const blueprintMigration = serializer({
  resource: BlueprintMigration,
  table: blueprint_migrations,
  columns: () => ({ who: displayColumn(sql`blueprint_migrations.user_id`).as('who') }),
  json: (row: MigrationRow & { who?: DisplayRow | null }, call) => migrationJson(row, row.who ?? null, call),
});

/** A sync from the side of an associated course. */
export const blueprintImport = serializer({
  resource: BlueprintMigration,
  table: blueprint_imports,
  also: (ids, { db }) => ({
    migrations: withColumns(
      db.build.all<{ import_id: number; row: string; who: string | null }>(
        sql`select i.id as import_id, json_object('template_id', m.template_id, 'user_id', m.user_id, 'created_at', m.created_at, 'exports_started_at', m.exports_started_at, 'imports_queued_at', m.imports_queued_at, 'comment', m.comment) as row, ${displayColumn(sql`m.user_id`)} as who
          from blueprint_imports i join blueprint_migrations m on m.id = i.migration_id where i.id in (${ids})`,
      ),
      ['import_id', 'row', 'who'],
    ),
  }),
  json: (row: ImportRow, call, { migrations }) => {
    const found = migrations.find(({ import_id }) => import_id === row.id);
    const migration = JSON.parse(found?.row ?? '{}') as MigrationRow;
    const who = found?.who ? (JSON.parse(found.who) as DisplayRow) : null;
    return {
      ...migrationJson(migration, who, call),
      id: row.id,
      subscription_id: row.subscription_id,
      workflow_state: row.workflow_state,
      imports_completed_at: row.workflow_state === 'imports_queued' ? null : row.updated_at,
    };
  },
});

export const blueprintTemplate = serializer({
  resource: BlueprintTemplate,
  table: blueprint_templates,
  columns: () => ({
    followers:
      sql<number>`(select count(*) from blueprint_subscriptions s join courses c on c.id = s.course_id and c.workflow_state <> 'deleted' where s.template_id = blueprint_templates.id and s.workflow_state = 'active')`.as(
        'followers',
      ),
    exported: sql<
      string | null
    >`(select max(m.imports_queued_at) from blueprint_migrations m where m.template_id = blueprint_templates.id)`.as('exported'),
  }),
  also: (ids, { db }) => ({
    latest: db.build
      .select()
      .from(blueprint_migrations)
      .where(
        sql`${blueprint_migrations.id} in (select max(m.id) from blueprint_migrations m where m.template_id in (${ids}) group by m.template_id)`,
      ),
    people: db.build.all<{ who: string | null }>(
      sql`select ${displayColumn(sql`m.user_id`)} as who from blueprint_migrations m where m.id in (select max(n.id) from blueprint_migrations n where n.template_id in (${ids}) group by n.template_id)`,
    ),
  }),
  json: (row: RowOf<typeof blueprint_templates> & { followers?: number; exported?: string | null }, call, { latest, people }) => {
    const migration = latest.find(({ template_id }) => template_id === row.id);
    const who = people.map((one) => (one.who ? (JSON.parse(one.who) as DisplayRow) : null)).find((one) => one?.id === migration?.user_id);
    return {
      id: row.id,
      course_id: row.course_id,
      last_export_completed_at: row.exported ?? null,
      associated_course_count: row.followers ?? 0,
      latest_migration: migration ? migrationJson(migration, who ?? null, call) : null,
    };
  },
});

const termName = sql<string>`(select t.name from terms t where t.id = courses.enrollment_term_id)`.as('term_name');
/** At most this many teachers are listed; the rest are counted. */
const mostTeachers = 50;

export const associatedCourse = serializer({
  resource: AssociatedCourse,
  table: courses,
  columns: () => ({ term_name: termName }),
  also: (ids, { db }) => ({
    teachers: withColumns(
      db.build.all<DisplayRow & { course_id: number }>(
        sql`select distinct e.course_id, u.id, u.name, u.short_name, u.avatar_url, u.pronouns, u.is_test_student from enrollments e join users u on u.id = e.user_id
          where e.course_id in (${ids}) and e.type = 'TeacherEnrollment' and e.enrollment_state = 'active' order by e.sortable_name, u.id`,
      ),
      ['course_id', 'id', 'name', 'short_name', 'avatar_url', 'pronouns', 'is_test_student'],
    ),
  }),
  json: (row: RowOf<typeof courses> & { term_name?: string }, { course, origin }, { teachers }) => {
    const theirs = teachers.filter(({ course_id }) => course_id === row.id);
    return {
      id: row.id,
      name: row.name,
      course_code: row.course_code,
      term_name: row.term_name ?? '',
      ...((course?.can('read_sis') || course?.can('manage_sis')) && { sis_course_id: row.sis_course_id }),
      ...(theirs.length > mostTeachers
        ? { teacher_count: theirs.length }
        : { teachers: theirs.map((one) => userDisplay({ ...one, is_test_student: Boolean(one.is_test_student) }, origin)) }),
      concluded: row.workflow_state === 'completed',
    };
  },
});

const ofBlueprint = (column: string, alias: string) =>
  sql`(select ${sql.raw(column)} from blueprint_templates b join courses c on c.id = b.course_id join terms t on t.id = c.enrollment_term_id where b.id = blueprint_subscriptions.template_id)`.as(
    alias,
  );

export const blueprintSubscription = serializer({
  resource: BlueprintSubscription,
  table: blueprint_subscriptions,
  columns: () => ({
    blueprint_id: ofBlueprint('c.id', 'blueprint_id'),
    blueprint_name: ofBlueprint('c.name', 'blueprint_name'),
    blueprint_code: ofBlueprint('c.course_code', 'blueprint_code'),
    term_name: ofBlueprint('t.name', 'term_name'),
  }),
  json: (row: RowOf<typeof blueprint_subscriptions>) => {
    const of = row as typeof row & { blueprint_id: number; blueprint_name: string; blueprint_code: string | null; term_name: string };
    return {
      id: row.id,
      template_id: row.template_id,
      blueprint_course: { id: of.blueprint_id, name: of.blueprint_name, course_code: of.blueprint_code, term_name: of.term_name },
    };
  },
});
