// A page of the grade-change log: newest first, from the table and then from its archive, limited to what the caller may see.

import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import { isAnonymousToCaller } from '../../contexts/anonymous_students';
import type { CourseContext } from '../../contexts/course';
import { adminMay, chainOf } from '../../contexts/institution';
import { isEnrolledStudent } from '../../contexts/predicates';
import { inSectionLimit } from '../../contexts/section_limit';
import { among } from '../../database/ids';
import type { Call } from '../../http/call';
import { ascending, descending, rows } from '../../http/listing';
import type { Reply } from '../../http/reply';
import type { AnySerializer } from '../../http/serializer';
import { beyondTable, type NamedIds } from '../audit/archived';
import { gradeChangeCompound, linkedGradeChange } from './json';
import { changesGrade, grade_changes } from './table';

/** What the changes are about: one or several of these. */
export interface ChangesOf {
  readonly course_id?: number;
  /** Null for overrides of the course grade. */
  readonly assignment_id?: number | null;
  readonly student_id?: number;
  /** Null for changes that the service made. */
  readonly grader_id?: number | null;
}

type Asked = Pick<Call, 'me' | 'institution'> & { readonly course?: CourseContext };

/** Graders of the course, and administrators who read grade changes. */
export const mayAuditCourse = ({ course, me, institution }: Asked): boolean =>
  course !== undefined &&
  ((course.canRead && (course.can('manage_grades') || course.can('view_all_grades'))) ||
    adminMay('view_grade_changes', me, chainOf(course.account_id, institution), institution));

/** The students in the sections of a section-restricted caller. */
export const studentsInReach = (course: CourseContext): SQL =>
  sql`select r.user_id as id from enrollments r where r.course_id = ${course.id} and ${isEnrolledStudent('r')}${inSectionLimit(course, 'r')}`;

/** The first that is given has an index in order of time, and the fewest rows. */
const narrowest = ['student_id', 'assignment_id', 'grader_id', 'course_id'] as const;

interface Page {
  readonly of: ChangesOf;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly isAscending?: boolean;
  /** Further conditions of the rows of the table, which the archive need not know. */
  readonly where?: SQL;
  readonly serializerOf: (named?: NamedIds) => AnySerializer;
  readonly wrap: (page: readonly unknown[]) => object;
}

/** Assignments that a list of one student leaves out, also from the size of its pages: their students are anonymous to the caller. */
function hiddenAssignments(call: Call, { student_id }: ChangesOf): readonly number[] | undefined {
  const { course } = call;
  if (!course || student_id === undefined || course.anonymous.length === 0 || !isAnonymousToCaller(call, student_id)) return undefined;
  return course.anonymous.map(({ id }) => id);
}

/**
 * A page examines as many rows as it may return, along one index. Those that other conditions exclude are left out, so that it may be short and still
 * have a next page. Only the newest first continue in the archive.
 */
export function gradeChangesPage(call: Call, { of, start_time, end_time, isAscending, where, serializerOf, wrap }: Page): Reply {
  const column = narrowest.find((name) => of[name] !== undefined && of[name] !== null) ?? 'course_id';
  const whose = { column, value: of[column] ?? 0 };
  const others = narrowest.filter((name) => name !== column && of[name] !== undefined);
  const hidden = hiddenAssignments(call, of);
  const restricted = call.course?.sectionLimit ? call.course : undefined;
  const conditions = and(
    where ?? sql`1`,
    ...others.map((name) => sql`${grade_changes[name]} is ${of[name] ?? null}`),
    restricted && sql`${grade_changes.student_id} in (${studentsInReach(restricted)})`,
  );
  const listing = rows(grade_changes, {
    columns: { is_passed: sql<number>`not (${conditions})`.as('is_passed') },
    where: and(
      eq(grade_changes[column], whose.value),
      changesGrade,
      hidden && sql`not (${grade_changes.assignment_id} is not null and ${among(grade_changes.assignment_id, hidden)})`,
      start_time ? gte(grade_changes.created_at, start_time) : undefined,
      // A bookmark is before the end, and SQLite would begin at the end for each page.
      end_time && !call.page.after ? lte(grade_changes.created_at, end_time) : undefined,
    ),
    order: (isAscending ? ascending : descending)(grade_changes.created_at, grade_changes.same_id),
  });
  const beyond = beyondTable(call, {
    log: 'grade_changes',
    table: grade_changes,
    whose,
    also: { is_posting: false, ...Object.fromEntries(others.map((name) => [name, of[name] ?? null])) },
    except: hidden && { column: 'assignment_id', values: hidden },
    among: restricted && { column: 'student_id', ids: studentsInReach(restricted) },
    start_time,
    end_time,
    serializerOf,
    wrap,
  });
  return { kind: 'list', listing, of: serializerOf(), wrap, ...(!isAscending && { beyond }) };
}

/** The page as the audit log returns it. */
export function auditPage(call: Call, of: ChangesOf): Reply {
  const { start_time, end_time } = call.params as { readonly start_time?: string; readonly end_time?: string };
  const whole = gradeChangeCompound(call.origin);
  return gradeChangesPage(call, {
    of,
    start_time,
    end_time,
    serializerOf: linkedGradeChange,
    wrap: whole,
  });
}
