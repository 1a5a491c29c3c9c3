// How each kind is copied: its table, which rows of a course are copied, and which columns differ from the original.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { freshVersion } from '../database/version';
import { assignment_groups } from '../domains/assignment_groups/table';
import { assignments } from '../domains/assignments/table';
import { calendar_events } from '../domains/calendar_events/table';
import type { CopiedKind } from '../domains/course_copy/table';
import { discussion_topics } from '../domains/discussion_topics/table';
import { folders } from '../domains/files/folders/table';
import { files } from '../domains/files/table';
import { module_items, modules } from '../domains/modules/table';
import { pages } from '../domains/pages/table';

/** Source and target course, user and time; the ids are numeric and safe to inline. */
export interface Route {
  readonly from: number;
  readonly to: number;
  readonly copy_id: number;
  readonly user_id: number;
  /** Whether users are notified of what the copy changes. */
  readonly notifies: boolean;
  readonly now: string;
}

/** Maps the id in column `o.x` to the id of its copy; null without a copy. */
export const copyOf = (kind: CopiedKind | SQL, id: SQL, { to }: Pick<Route, 'to'>): SQL =>
  sql`(select l.item_id from copied_items l where l.course_id = ${sql.raw(String(to))} and l.kind = ${typeof kind === 'string' ? sql.raw(`'${kind}'`) : kind} and l.source_id = ${id})`;

export interface KindFacts {
  readonly table: SQLiteTable & { id: SQLiteColumn };
  /** Rows `alias` of a course that are not deleted. */
  readonly there: (alias: 'o' | 't', course: number) => string;
  /** Columns of the copy that differ from the original `o`. */
  readonly differing: (route: Route) => Readonly<Record<string, SQL>>;
  /** Columns that a repeated copy leaves unchanged. */
  readonly kept: readonly string[];
  /** The HTML column, written after all link targets exist. */
  readonly text?: string;
  /** An existing row with the same value in this column is treated as the copy. */
  readonly adopts?: string;
  /** A condition on originals that can be copied at all. */
  readonly only?: (route: Route) => SQL;
}

const inContext = (alias: string, course: number) => `${alias}.context_type = 'Course' and ${alias}.context_id = ${course}`;
const not = (alias: string, state = 'deleted') => `${alias}.workflow_state <> '${state}'`;
const number = (value: number) => sql.raw(String(value));
const nothing = sql`null`;
const newVersion = sql.raw(freshVersion);
const random = sql.raw('lower(hex(randomblob(20)))');

/** The copy kind of a module item's content. */
const contentKind = sql.raw(
  "case o.type when 'File' then 'file' when 'Page' then 'page' when 'Assignment' then 'assignment' when 'Discussion' then 'discussion_topic' end",
);

export const kindFacts: Readonly<Record<CopiedKind, KindFacts>> = {
  folder: {
    table: folders,
    there: (a, course) => `${inContext(a, course)} and ${a}.workflow_state = 'visible' and ${a}.for_submissions = 0`,
    adopts: 't.full_name = o.full_name',
    kept: ['parent_folder_id', 'name', 'full_name', 'unique_type', 'position', 'version'],
    differing: ({ to }) => ({
      context_id: number(to),
      parent_folder_id: sql.raw(
        `(select p.id from folders p where ${inContext('p', to)} and p.workflow_state = 'visible' and p.full_name = substr(o.full_name, 1, length(o.full_name) - length(o.name) - 1))`,
      ),
      files_count: sql`0`,
      folders_count: sql`0`,
      version: newVersion,
    }),
  },
  file: {
    table: files,
    there: (a, course) => `${inContext(a, course)} and ${a}.workflow_state = 'available' and ${a}.blob_id is not null`,
    kept: ['folder_id', 'display_name', 'uuid', 'user_id', 'version'],
    only: (route) => sql`${copyOf('folder', sql`o.folder_id`, route)} is not null`,
    differing: (route) => ({
      context_id: number(route.to),
      folder_id: copyOf('folder', sql`o.folder_id`, route),
      uuid: random,
      user_id: number(route.user_id),
      replacement_file_id: nothing,
      copied_from_id: sql`o.id`,
      is_submitted: sql`0`,
      submission_id: nothing,
      upload: nothing,
      version: newVersion,
      modified_at: sql`coalesce(o.modified_at, o.updated_at)`,
    }),
  },
  assignment_group: {
    table: assignment_groups,
    there: (a, course) => `${a}.course_id = ${course} and ${a}.workflow_state = 'available'`,
    adopts: 't.name = o.name',
    kept: ['position', 'sis_source_id', 'rules'],
    differing: ({ to }) => ({
      course_id: number(to),
      sis_source_id: nothing,
      // Never-drop rules are added after the assignments exist.
      rules: sql`json_remove(o.rules, '$.never_drop')`,
      position: sql`o.position + (select coalesce(max(position), 0) from assignment_groups where course_id = ${number(to)} and workflow_state = 'available')`,
    }),
  },
  assignment: {
    table: assignments,
    there: (a, course) => `${a}.course_id = ${course} and ${not(a)}`,
    text: 'description',
    kept: [
      'assignment_group_id',
      'position',
      'lti_context_id',
      'sis_assignment_id',
      'integration_id',
      'only_visible_to_overrides',
      'group_category_id',
    ],
    differing: (route) => ({
      course_id: number(route.to),
      assignment_group_id: sql`coalesce(${copyOf('assignment_group', sql`o.assignment_group_id`, route)}, (select id from assignment_groups where course_id = ${number(route.to)} and workflow_state = 'available' order by position, id limit 1))`,
      only_visible_to_overrides: sql`0`,
      group_category_id: sql`(select here.id from group_categories there join group_categories here on here.name = there.name and here.context_type = 'Course' and here.context_id = ${number(route.to)} and here.workflow_state = 'available' where there.id = o.group_category_id)`,
      sis_assignment_id: nothing,
      integration_id: nothing,
      lti_context_id: random,
    }),
  },
  page: {
    table: pages,
    there: (a, course) => `${inContext(a, course)} and ${not(a)}`,
    text: 'body',
    kept: ['url', 'front_page', 'last_edited_by_id'],
    differing: ({ to, user_id }) => ({
      context_id: number(to),
      last_edited_by_id: number(user_id),
      front_page: sql.raw(
        `(o.front_page and not exists (select 1 from pages p where ${inContext('p', to)} and p.front_page = 1 and ${not('p')}))`,
      ),
    }),
  },
  discussion_topic: {
    table: discussion_topics,
    // Group topics and topics for some sections are not copied to another course.
    there: (a, course) => `${inContext(a, course)} and ${not(a)} and ${a}.root_topic_id is null and ${a}.section_ids is null`,
    text: 'message',
    kept: ['position', 'user_id', 'posted_at', 'last_reply_at', 'entry_count', 'group_category_id', 'assignment_id'],
    differing: (route) => ({
      context_id: number(route.to),
      user_id: number(route.user_id),
      assignment_id: copyOf('assignment', sql`o.assignment_id`, route),
      attachment_id: copyOf('file', sql`o.attachment_id`, route),
      group_category_id: nothing,
      entry_count: sql`0`,
      posted_at: sql`case when o.workflow_state = 'active' then ${route.now} end`,
      last_reply_at: sql`case when o.workflow_state = 'active' then ${route.now} end`,
    }),
  },
  calendar_event: {
    table: calendar_events,
    there: (a, course) => `${a}.context_code = 'course_${course}' and ${not(a)} and ${a}.parent_event_id is null`,
    text: 'description',
    kept: ['user_id', 'series_uuid'],
    differing: ({ to, user_id }) => ({
      context_code: sql.raw(`'course_${to}'`),
      effective_context_code: nothing,
      user_id: number(user_id),
      series_uuid: sql.raw(`o.series_uuid || '-${to}'`),
    }),
  },
  module: {
    table: modules,
    there: (a, course) => `${a}.course_id = ${course} and ${not(a)}`,
    kept: ['position', 'prerequisite_module_ids'],
    differing: ({ to, copy_id }) => ({
      course_id: number(to),
      position: sql`o.position + coalesce((select max(m.position) from modules m where m.course_id = ${number(to)} and m.workflow_state <> 'deleted' and m.id not in (select item_id from copied_items where course_id = ${number(to)} and kind = 'module' and copy_id = ${number(copy_id)})), 0)`,
      prerequisite_module_ids: sql`'[]'`,
    }),
  },
  module_item: {
    table: module_items,
    there: (a, course) => `${a}.course_id = ${course} and ${a}.workflow_state = 'active'`,
    kept: ['title'],
    only: (route) =>
      sql`${copyOf('module', sql`o.module_id`, route)} is not null and (o.content_id is null or ${copyOf(contentKind, sql`o.content_id`, route)} is not null)`,
    differing: (route) => ({
      course_id: number(route.to),
      module_id: copyOf('module', sql`o.module_id`, route),
      content_id: sql`case when o.content_id is not null then ${copyOf(contentKind, sql`o.content_id`, route)} end`,
    }),
  },
};

/** Whether the original `o` has a live copy in the target. */
export const hasCopy = (kind: CopiedKind, { to }: Route): SQL =>
  sql.raw(
    `exists (select 1 from copied_items l join ${getTableName(kindFacts[kind].table)} t on t.id = l.item_id where l.course_id = ${to} and l.kind = '${kind}' and l.source_id = o.id and ${kindFacts[kind].there('t', to)})`,
  );

/** The columns of a copy, and the value of each from the original `o`. */
export function copiedColumnsOf(kind: CopiedKind, route: Route, named: string): [name: string, value: SQL][] {
  const { table, text, differing } = kindFacts[kind];
  const others: Record<string, SQL> = {
    created_at: sql`${route.now}`,
    updated_at: sql`${route.now}`,
    ...differing(route),
    ...(text && { [text]: nothing }),
  };
  return (
    Object.entries(getTableColumns(table))
      // Generated columns cannot be written.
      .filter(([name, column]) => name !== 'id' && column.generated === undefined)
      .map(([name]) => {
        const value = lookUp(others, name) ?? sql.raw(`o.${name}`);
        return [name, namedColumns.has(`${kind}.${name}`) ? sql`coalesce(${nameIn(named, name)}, ${value})` : value];
      })
  );
}

/** Columns that may differ because the name is already used in the target. */
const namedColumns = new Set(['page.title', 'page.url', 'file.display_name']);
const nameIn = (named: string, column: string) =>
  sql`(select n.value ->> ${`$.${column}`} from json_each(${named}) n where n.key = cast(o.id as text))`;
