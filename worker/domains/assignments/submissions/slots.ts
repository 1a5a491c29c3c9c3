// Submissions of students whether or not a row exists: rows of the table, or blank ones.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isStudent } from '../../../contexts/predicates';
import type { SectionContext } from '../../../contexts/section';
import { selectInPlace } from '../../../database/select_in_place';
import { sharedIds } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { assignedTo } from '../../../rules/assigned';
import { submissionIdOf } from '../../../rules/submission_ids';
import type { EnrollmentState } from '../../enrollments/table';
import { submissions } from '../../submissions/table';
import { factsFor, setOfRows } from './columns';

const derived: Record<string, SQL> = {
  id: submissionIdOf(sql.raw('assignments.id'), sql.raw('e.user_id')),
  course_id: sql.raw('assignments.course_id'),
  assignment_id: sql.raw('assignments.id'),
  user_id: sql.raw('e.user_id'),
  attachment_ids: sql.raw("coalesce(s.attachment_ids, '[]')"),
  excused: sql.raw('coalesce(s.excused, 0)'),
  workflow_state: sql.raw("coalesce(s.workflow_state, 'unsubmitted')"),
  created_at: sql.raw('coalesce(s.created_at, assignments.created_at)'),
  updated_at: sql.raw('coalesce(s.updated_at, assignments.updated_at)'),
};

/** A column of a table keeps its name in SQLite without `as`. */
const columns = sql.join(
  Object.keys(getTableColumns(submissions)).map((name) => {
    const value = lookUp(derived, name);
    return value ? sql`${value} as ${sql.raw(name)}` : sql.raw(`s.${name}`);
  }),
  sql`, `,
);

export interface Students {
  /** Restricts to these sections; the whole course when absent. */
  readonly sections?: readonly number[];
  readonly types?: 'students' | 'all';
  readonly states?: readonly EnrollmentState[];
  /** A further condition on their enrollments, by alias. */
  readonly whose?: (alias: string) => SQL;
  /** Only some users are asked for: they are found by user, where SQLite would otherwise read an index of the whole course. */
  readonly isNamed?: boolean;
}

/** Students whose submissions the caller may see: those of the path's section and of a section-restricted caller's sections. */
export const studentsHere = (course: CourseContext, section: SectionContext | undefined): Students => {
  const limit = course.sectionLimit;
  if (!section) return limit ? { sections: limit } : {};
  return { sections: limit && !limit.includes(section.id) ? [] : [section.id] };
};

const quoted = (words: readonly string[]) => sql.raw(`(${words.map((word) => `'${word}'`).join(', ')})`);
const single = (words: readonly string[]) => (words.length === 1 ? sql`= ${sql.raw(`'${words[0]}'`)}` : sql`in ${quoted(words)}`);

/** True for the enrollments `e` of the students, one per student. */
export function enrolledAs({ sections, types = 'students', states = ['active'], whose }: Students): SQL {
  const inSections = (alias: string) =>
    sections ? sql` and ${sql.raw(alias)}.course_section_id in (${sharedIds('sections', sections)})` : sql``;
  const which = (alias: string) =>
    // One user's enrollments are found by user, so the unary plus keeps SQLite off the type index.
    sql`${types === 'all' ? isStudent(`+${alias}`) : sql.raw(`${alias}.type = 'StudentEnrollment'`)} and ${sql.raw(types === 'all' ? `+${alias}` : alias)}.enrollment_state ${single(states)}${inSections(alias)}${whose ? sql` and ${whose(alias)}` : sql``}`;
  return sql`${which('e')} and not exists (select 1 from enrollments d where d.course_id = e.course_id and d.user_id = e.user_id and d.id < e.id and ${which('d')})`;
}

interface SlotsOf {
  readonly course: CourseContext;
  readonly now: string;
}

/** For a listing from slots, which already contain these columns. */
export const slotColumns = { facts: sql<string>`submissions.facts`.as('facts') };

/** A select as a table in place of `submissions`, with its columns. */
const inPlace = (select: SQL) => selectInPlace(submissions, select);

/**
 * The students' slots in assignments of a course, as a table in place of `submissions`.
 * @param chosen conditions on `assignments` and `e`, the student's enrollment
 */
export const slots = ({ course, now }: SlotsOf, students: Students, chosen: SQL): typeof submissions =>
  inPlace(
    sql`select ${columns}, ${factsFor(sql.raw('e.user_id'), now, setOfRows({ course }))} as facts from assignments cross join enrollments e${sql.raw(students.isNamed ? ' indexed by enrollments_of_user_in_course' : '')}
      left join submissions s on s.assignment_id = assignments.id and s.user_id = e.user_id and s.workflow_state <> 'deleted'
      where assignments.course_id = ${course.id} and assignments.workflow_state <> 'deleted' and e.course_id = ${course.id} and ${enrolledAs(students)} and ${chosen}`,
  );

/**
 * Slots that were found before, as a table in place of `submissions`.
 * @param found a select of `found_assignment` and `found_user`
 */
export const slotsFound = ({ course, now }: SlotsOf, found: SQL): typeof submissions =>
  inPlace(
    sql`select ${columns}, ${factsFor(sql.raw('e.user_id'), now, setOfRows({ course }))} as facts from (${found}) found cross join assignments on assignments.id = found.found_assignment
      cross join (select users.id as user_id from users) e on e.user_id = found.found_user left join submissions s on s.assignment_id = assignments.id and s.user_id = e.user_id and s.workflow_state <> 'deleted'`,
  );

/** Assigned, or with a submission despite not being assigned. */
export const concernsStudent: SQL = sql`(${assignedTo(sql.raw('e.user_id'))} or s.id is not null)`;
export const isAssigned: SQL = assignedTo(sql.raw('e.user_id'));

/**
 * Slots of a few users in the assignments of a page, as a table in place of `submissions`: existing rows, and a blank one for every published
 * assignment that is assigned to them as students.
 * @param assignmentIds a select of ids of assignments visible to the caller
 * @param people valid inside `in (…)`, next to the row of `assignments`
 * @param isForeseen the users are known to be assigned what they see, so that it is not checked again
 */
// The page is chosen in `from`, where D1 does not count expression depth, which is limited to 100.
export const slotsOfPeople = (
  assignmentIds: SQL,
  people: SQL,
  isForeseen: boolean,
  { course, now }: Pick<Call, 'course' | 'now'>,
): typeof submissions =>
  inPlace(
    sql`select ${columns}, ${factsFor(sql.raw('e.user_id'), now, setOfRows({ course }))} as facts
      from (with page(id) as materialized (select * from (${assignmentIds})) select page.id from page) page cross join assignments on assignments.id = page.id
      cross join (select users.id as user_id from users) e on e.user_id in (${people})
      left join submissions s on s.assignment_id = assignments.id and s.user_id = e.user_id and s.workflow_state <> 'deleted'
      where (s.id is not null or (assignments.workflow_state = 'published' and exists (
        select 1 from enrollments n where n.user_id = e.user_id and n.course_id = assignments.course_id and ${isStudent('n')}
          and n.enrollment_state not in ('deleted', 'rejected')) and ${isForeseen ? sql`1` : isAssigned}))`,
  );
