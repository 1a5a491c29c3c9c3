// An institution of any size around a few measured courses and people, which are the same at every size.

import type { D1Database } from '@cloudflare/workers-types';
import { fillBelongings } from './belongings';
import { type Band, type Counts, day, type Firsts, filling, fixedTime } from './bulk';
import { fillCoursework } from './coursework';
import { fillInstitutionPeople } from './people';

export const usual: Counts = {
  students: 1,
  assignments: 2,
  pages: 2,
  topics: 2,
  entries: 1,
  modules: 1,
  items: 2,
  folders: 2,
  files: 2,
  events: 1,
  notes: 1,
  messages: 1,
};

/** Creates courses with people and content. Returns the first ids of the band's rows. */
export async function fillInstitution(d1: D1Database, band: Band): Promise<Firsts> {
  const begun = await filling(d1, band);
  await fillInstitutionPeople(begun);
  await fillCoursework(begun);
  await fillBelongings(begun);
  return begun.firsts;
}

/** Accounts, terms and administrators grow with the institution. */
export async function administer(d1: D1Database, courses: number): Promise<void> {
  const count = Math.max(10, Math.floor(courses / 100));
  const many = (table: string, columns: string, values: string) =>
    d1
      .prepare(
        `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count}) insert into ${table} (${columns}) select ${values} from counted`,
      )
      .run();
  await many(
    'accounts',
    'name, parent_account_id, root_account_id, uuid, created_at, updated_at',
    `'Faculty ' || n, 1, 1, 'bench-account-' || n, ${fixedTime}, ${fixedTime}`,
  );
  await many('terms', 'account_id, name, start_at, created_at, updated_at', `1, 'Term ' || n, ${day('n')}, ${fixedTime}, ${fixedTime}`);
}

/** Writes the change log, which the dropped triggers would have written. */
export async function logChanges(d1: D1Database): Promise<void> {
  const changes: readonly (readonly [kind: string, scope: string, table: string])[] = [
    ['user', "'user_' || id", 'users'],
    ['course', "'course_' || id", 'courses'],
    ['enrollment', "'user_' || user_id", 'enrollments'],
    ['assignment_group', "'course_' || course_id", 'assignment_groups'],
    ['assignment', "'course_' || course_id", 'assignments'],
    ['submission', "'user_' || user_id", 'submissions'],
    ['module', "'course_' || course_id", 'modules'],
    ['page', "'course_' || context_id", 'pages'],
    ['discussion_topic', "'course_' || context_id", 'discussion_topics'],
    ['calendar_event', 'context_code', 'calendar_events'],
    ['planner_note', "'user_' || user_id", 'planner_notes'],
    ['planner_override', "'user_' || user_id", 'planner_overrides'],
    ['folder', "'course_' || context_id", 'folders'],
    ['file', "'course_' || context_id", 'files'],
  ];
  await d1.prepare('delete from changes').run();
  for (const [kind, scope, table] of changes)
    await d1
      .prepare(
        `insert into changes (scope, kind, item_id, op, changed_at) select ${scope}, '${kind}', id, 'upsert', ${fixedTime} from ${table}`,
      )
      .run();
  await d1
    .prepare(
      `insert into changes (scope, kind, item_id, op, changed_at) select 'user_' || user_id, 'conversation', conversation_id, 'upsert', ${fixedTime} from conversation_participants`,
    )
    .run();
  await d1.prepare('delete from scheduled_changes').run();
  await d1
    .prepare(
      "insert into scheduled_changes (scope, kind, item_id, field, at) select 'course_' || course_id, 'assignment', id, 'due_at', due_at from assignments where due_at is not null",
    )
    .run();
}
