// Bulk inserts: a band of identical courses, numbered so that SQL can compute the course of each row.

import { copyAgain } from '@carrel/worker/database/triggers/copies';
import { courseWordsAgain } from '@carrel/worker/database/triggers/course_words';
import { searchAgain } from '@carrel/worker/database/triggers/search';
import type { D1Database } from '@cloudflare/workers-types';

/** The number of each thing in every course of a band. */
export interface Counts {
  readonly students: number;
  readonly assignments: number;
  readonly pages: number;
  readonly topics: number;
  readonly entries: number;
  readonly modules: number;
  readonly items: number;
  readonly folders: number;
  readonly files: number;
  readonly events: number;
  /** Per person. */
  readonly notes: number;
  /** One conversation for each pair of people in a course, with this many messages. */
  readonly messages: number;
}

export interface Band {
  readonly courses: number;
  readonly each: Counts;
  /** Unique among the bands. */
  readonly name: string;
}

/** The first id of each table's rows in a band. */
export type Firsts = Readonly<Record<string, number>>;

export const fixedTime = "'2026-09-01T08:00:00Z'";
const chunk = 200_000;
/** A date in autumn, spread by a number. */
export const day = (n: string, month = '11') => `printf('2026-${month}-%02dT12:00:00Z', 1 + (${n}) % 28)`;
export const lorem = `'<p>' || replace(hex(zeroblob(100)), '00', 'Words. ') || '</p>'`;

export interface Insertion {
  readonly table: string;
  readonly count: number;
  /** Per column an SQL expression over `n`, the row's number from 0, and `id`. */
  readonly columns: Readonly<Record<string, string>>;
  readonly hasId?: boolean;
}

/** Drops triggers and indexes while the tables are filled, which is several times faster, and restores them. */
export async function inBulkLoad(d1: D1Database, work: () => Promise<void>): Promise<void> {
  const { results } = await d1
    .prepare(
      "select type, name, sql from sqlite_master where type in ('trigger', 'index') and sql is not null and name not like '\\_cf%' escape '\\'",
    )
    .all<{ type: string; name: string; sql: string }>();
  for (const { type, name } of results) await d1.prepare(`drop ${type} "${name}"`).run();
  await work();
  const indexes = results.filter(({ type }) => type === 'index');
  for (const { sql } of indexes) await d1.prepare(sql).run();
  for (const statement of [...copyAgain, ...searchAgain, ...courseWordsAgain]) await d1.prepare(statement).run();
  for (const { type, sql } of results) if (type === 'trigger') await d1.prepare(sql).run();
}

export async function rowsIn(d1: D1Database): Promise<Record<string, number>> {
  const { results } = await d1
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'd1%' and substr(name, 1, 3) <> '_cf'",
    )
    .all<{ name: string }>();
  const counted: Record<string, number> = {};
  for (const { name } of results) counted[name] = (await d1.prepare(`select count(*) as n from "${name}"`).first<number>('n')) ?? 0;
  return counted;
}

export interface Filling {
  readonly band: Band;
  readonly people: number;
  readonly firsts: Firsts;
  insert(insertion: Insertion): Promise<void>;
  /** The first id of a table's rows in this band. */
  from(table: string): number;
  /** The course of the nth row of a table with this many rows per course. */
  of(k: number): string;
  /** The same as a context of pages, topics and files. */
  inCourse(k: number): { context_type: string; context_id: string };
  teacherOf(k: number): string;
  studentOf(k: number): string;
  uuid(prefix: string): string;
}

export const stamps = { created_at: fixedTime, updated_at: fixedTime };

const numbered = [
  'courses',
  'sections',
  'assignment_groups',
  'users',
  'logins',
  'communication_channels',
  'tokens',
  'enrollments',
  'assignments',
  'pages',
  'page_revisions',
  'discussion_topics',
  'discussion_entries',
  'modules',
  'module_items',
  'folders',
  'blobs',
  'files',
  'calendar_events',
  'planner_notes',
  'planner_overrides',
  'conversations',
  'conversation_messages',
];

/** A band that starts after all existing rows. */
export async function filling(d1: D1Database, band: Band): Promise<Filling> {
  const people = band.each.students + 1;
  const firsts: Record<string, number> = {};
  for (const table of numbered) firsts[table] = ((await d1.prepare(`select max(id) as id from ${table}`).first<number>('id')) ?? 0) + 1;
  const from = (table: string) => firsts[table] ?? 0;
  const person = (k: number) => `${from('users')} + n / ${k} * ${people}`;
  return {
    band,
    people,
    firsts,
    from,
    of: (k) => `(${from('courses')} + n / ${k})`,
    inCourse: (k) => ({ context_type: "'Course'", context_id: `(${from('courses')} + n / ${k})` }),
    teacherOf: (k) => `(${person(k)})`,
    studentOf: (k) => `(${person(k)} + 1)`,
    uuid: (prefix) => `'${band.name}-${prefix}-' || $id`,
    async insert({ table, count, columns, hasId = true }) {
      const first = from(table);
      const named = hasId ? { id: `${first} + n`, ...columns } : columns;
      const values = Object.values(named).map((value) => value.replaceAll('$id', `(${first} + n)`));
      for (let done = 0; done < count; done += chunk) {
        const last = Math.min(count, done + chunk) - 1;
        await d1
          .prepare(
            `with recursive counted(n) as (select ${done} union all select n + 1 from counted where n < ${last}) insert into ${table} (${Object.keys(named).join(', ')}) select ${values.join(', ')} from counted`,
          )
          .run();
      }
    },
  };
}
