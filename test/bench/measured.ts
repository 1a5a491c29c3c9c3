// The measured courses and people: the same content at every size, in the middle of the institution.

import { sha256 } from '@carrel/worker/http/idempotency';
import type { D1Database } from '@cloudflare/workers-types';
import { withDatabase } from '../support/server';
import { type Counts, type Firsts, inBulkLoad, rowsIn } from './institution/bulk';
import { administer, fillInstitution, logChanges, usual } from './institution/whole';
import { scratchFolder } from './scratch';

export const measuredCourses = 6;
export const content: Counts = {
  students: 30,
  assignments: 30,
  pages: 30,
  topics: 20,
  entries: 5,
  modules: 10,
  items: 8,
  folders: 10,
  files: 100,
  events: 20,
  notes: 40,
  messages: 5,
};

export type CallerRole = 'student' | 'teacher' | 'admin';
export const tokenOf = (part: CallerRole): string => `bench-${part}`;

export interface Built {
  readonly firsts: Firsts;
  readonly student: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly seconds: number;
}

const at = "'2026-09-01T08:00:00Z'";

export interface BuiltInstitution {
  /** The folder of its state. */
  readonly persist: string;
  readonly built: Built;
}

const institutions = new Map<number, Promise<BuiltInstitution>>();

/** Built once per run and shared. */
export function institution(courses: number): Promise<BuiltInstitution> {
  const known = institutions.get(courses) ?? make(courses);
  institutions.set(courses, known);
  return known;
}

async function make(courses: number): Promise<BuiltInstitution> {
  const persist = scratchFolder();
  const built = await buildInstitution(persist, courses);
  console.error(`  ${courses.toLocaleString('en-US')} courses built in ${built.seconds.toFixed(0)} s`);
  return { persist, built };
}

async function buildInstitution(persist: string, courses: number): Promise<Built> {
  const started = Date.now();
  return withDatabase(persist, async (d1) => {
    let firsts: Firsts = {};
    await inBulkLoad(d1, async () => {
      await administer(d1, courses);
      await fillInstitution(d1, { courses: courses / 2, each: usual, name: 'before' });
      firsts = await fillInstitution(d1, { courses: measuredCourses, each: content, name: 'measured' });
      await admit(d1, firsts);
      await fillInstitution(d1, { courses: courses / 2, each: usual, name: 'after' });
      await logChanges(d1);
    });
    const override = (await d1.prepare('select min(id) as id from assignment_overrides').first<number>('id')) ?? 0;
    firsts = { ...firsts, assignment_overrides: override };
    return { firsts, student: (firsts.users ?? 0) + 1, rows: await rowsIn(d1), seconds: (Date.now() - started) / 1000 };
  });
}

/** The first teacher and the first student are in all measured courses; a third person administers the institution. */
async function admit(d1: D1Database, firsts: Firsts): Promise<void> {
  const first = (table: string) => firsts[table] ?? 0;
  const people: Readonly<Record<CallerRole, number>> = { teacher: first('users'), student: first('users') + 1, admin: first('users') + 2 };
  for (const [part, id] of Object.entries(people))
    await d1
      .prepare('update tokens set token_hash = ? where user_id = ?')
      .bind(await sha256(tokenOf(part as CallerRole)), id)
      .run();
  for (let nth = 1; nth < measuredCourses; nth++)
    for (const [id, type, role] of [
      [people.teacher, 'TeacherEnrollment', 4],
      [people.student, 'StudentEnrollment', 3],
    ] as const)
      await d1
        .prepare(
          `insert into enrollments (user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at) values (?, ?, ?, ?, ?, 'active', 'Person', ${at}, ${at})`,
        )
        .bind(id, first('courses') + nth, first('sections') + nth, type, role)
        .run();
  await d1
    .prepare(`insert into admins (account_id, user_id, role_id, created_at, updated_at) values (1, ?, 1, ${at}, ${at})`)
    .bind(people.admin)
    .run();
  await d1
    .prepare(
      `insert into assignment_overrides (assignment_id, course_id, set_type, set_id, title, due_at, due_at_overridden, created_at, updated_at)
       values (?, ?, 'CourseSection', ?, 'Section', '2026-11-20T12:00:00Z', 1, ${at}, ${at})`,
    )
    .bind(first('assignments'), first('courses'), first('sections'))
    .run();
}
