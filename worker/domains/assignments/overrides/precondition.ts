// Everything needed to validate overrides, read in one round trip however many there are.

import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isStudent } from '../../../contexts/predicates';
import { among, isInSelect } from '../../../database/ids';
import type { ResultOf } from '../../../database/open';
import type { Call } from '../../../http/call';
import { enrollments } from '../../enrollments/table';
import { files } from '../../files/table';
import { group_categories } from '../../group_categories/table';
import { groups } from '../../groups/table';
import { sections } from '../../sections/table';
import type { NamedTool } from '../external_tool';
import { type Instructors, instructorsOf } from '../moderation_input';
import { visibleAmong } from '../policy';
import { assignment_override_students, assignment_overrides, assignments } from '../table';
import type { OverrideGiven } from './input';
import { contextZoneOf } from './json';
import type { OverrideContext } from './judgement';
import { seen } from './policy';

type ResultsOf<S extends readonly unknown[]> = { readonly [K in keyof S]: ResultOf<S[K]> };
type Asking = Pick<Call, 'db' | 'me' | 'user' | 'path' | 'institution'>;

/** Live group sets and groups of a course. */
const ofCourse = (table: typeof groups | typeof group_categories, course: CourseContext) =>
  and(eq(table.context_type, 'Course'), eq(table.context_id, course.id), eq(table.workflow_state, 'available'));

/** Of what is sent with an assignment, the objects that are looked up. */
export interface SentReferences {
  readonly group_category_id?: number | null;
  readonly annotatable_attachment_id?: number | null;
  readonly external_tool_tag_attributes?: { readonly content_id?: number | null };
}

/** What is known before an assignment is written. */
export interface AssignmentContext extends OverrideContext {
  readonly instructors: Instructors;
  /** The named tool, if the course has it. */
  readonly tools: readonly NamedTool[];
}

/** Staff of the course read all its files, and the caller reads their own. */
const isReadable = ({ id }: CourseContext, { me }: Asking) =>
  or(and(eq(files.context_type, 'Course'), eq(files.context_id, id)), and(eq(files.context_type, 'User'), eq(files.context_id, me.id)));

/**
 * The statements, and a function that builds the facts from their results. Only what the caller may see is read.
 * @param ids a select of the assignments' ids
 * @param sent the group set and the document sent with the assignment
 */
export function overridePreconditionFor(
  call: Asking,
  course: CourseContext,
  ids: SQL,
  given: readonly OverrideGiven[],
  sent: SentReferences = {},
  asksForInstructors = false,
) {
  const { build } = call.db;
  const limit = course.sectionLimit;
  const students = given.flatMap((one) => one.student_ids ?? []);
  const wantedGroups = given.flatMap((one) => one.group_id ?? []);
  const wanted = given.flatMap((one) => one.course_section_id ?? []);
  const statements = [
    build
      .select()
      .from(assignments)
      .where(visibleAmong(course, call, ids)),
    build
      .select()
      .from(assignment_overrides)
      .where(and(seen(course, call), isInSelect(assignment_overrides.assignment_id, ids))),
    build.select().from(assignment_override_students).where(isInSelect(assignment_override_students.assignment_id, ids)),
    build
      .select({ id: sections.id, name: sections.name })
      .from(sections)
      .where(
        and(
          eq(sections.course_id, course.id),
          eq(sections.workflow_state, 'active'),
          among(sections.id, wanted),
          limit ? among(sections.id, limit) : undefined,
        ),
      ),
    build
      .selectDistinct({ user_id: enrollments.user_id })
      .from(enrollments)
      .where(
        and(
          among(enrollments.user_id, students),
          eq(enrollments.course_id, course.id),
          isStudent(),
          inArray(enrollments.enrollment_state, ['active', 'invited', 'creation_pending', 'completed', 'inactive']),
          limit ? among(enrollments.course_section_id, limit) : undefined,
        ),
      ),
    build
      .select({ id: groups.id, name: groups.name, group_category_id: groups.group_category_id })
      .from(groups)
      .where(and(among(groups.id, wantedGroups), ofCourse(groups, course))),
    build
      .select({ id: group_categories.id })
      .from(group_categories)
      .where(and(eq(group_categories.id, sent.group_category_id ?? 0), ofCourse(group_categories, course))),
    build
      .select({ id: files.id })
      .from(files)
      .where(and(eq(files.id, sent.annotatable_attachment_id ?? 0), eq(files.workflow_state, 'available'), isReadable(course, call))),
    instructorsOf(call.db, course, asksForInstructors),
    call.db.build.all<NamedTool>(
      sql`select id, url from external_tools where id = ${sent.external_tool_tag_attributes?.content_id ?? 0} and workflow_state = 'active'
        and ((context_type = 'Course' and context_id = ${course.id}) or (context_type = 'Account' and context_id in (select value from json_each(${JSON.stringify(course.chain)}))))`,
    ),
  ] as const;
  const ground = (results: ResultsOf<typeof statements>): AssignmentContext => ({
    zone: contextZoneOf({ ...call, course }),
    assignments: results[0],
    overrides: results[1],
    named: results[2],
    sections: results[3],
    studentIds: results[4].map(({ user_id }) => user_id),
    groups: results[5],
    setIds: results[6].map(({ id }) => id),
    documentIds: results[7].map(({ id }) => id),
    instructors: results[8],
    tools: results[9],
    course,
  });
  return { statements, ground };
}

export async function readOverridePrecondition(
  call: Asking,
  course: CourseContext,
  ids: SQL,
  given: readonly OverrideGiven[],
  sent?: SentReferences,
  asksForInstructors = false,
): Promise<AssignmentContext> {
  const { statements, ground } = overridePreconditionFor(call, course, ids, given, sent, asksForInstructors);
  return ground(await call.db.perform(statements));
}
