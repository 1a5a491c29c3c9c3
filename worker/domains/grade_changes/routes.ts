// The grade-change log: every endpoint, by course, assignment, student or grader, or several of them.

import { GradeChangeEvents } from '@carrel/shared/resources/grade_change_event';
import { either, idField, optional, referenceTo, word } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { adminMay } from '../../contexts/institution';
import { idOf, readId } from '../../contexts/references';
import { inSectionLimit } from '../../contexts/section_limit';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { notFound, problem, unauthorized } from '../../http/problem';
import { judged, type Reply } from '../../http/reply';
import { auditParams } from '../audit/log';
import { auditPage, type ChangesOf, mayAuditCourse } from './log_page';

export const about = { title: 'Grade change log', description: 'Changes of grades, with the grader, and the grade before and after.' };

const { start_time, end_time } = auditParams;
const params = { start_time, end_time };
const include = ['current_grade'] as const;
const returns = { json: GradeChangeEvents };

const mayAuditInstitution = ({ me, institution }: Pick<Call, 'me' | 'institution'>) =>
  adminMay('view_grade_changes', me, [institution.root.id], institution);

/** The numbers in the path. @throws Problem 404 for what cannot be an id */
const idIn = (given: string): number => {
  const id = readId(given);
  if (id === undefined) throw notFound();
  return id;
};

/** What is missing among the objects that a list is about. */
function lacking(call: Call, { course_id, assignment_id, student_id, grader_id }: ChangesOf): SQL {
  const { course } = call;
  const isNone = (select: SQL) => sql`not exists (select 1 from ${select})`;
  const lacks = [
    ...(typeof assignment_id === 'number'
      ? [
          isNone(
            sql`assignments a where a.id = ${assignment_id} and a.workflow_state <> 'deleted' and a.course_id = ${course_id ?? sql`a.course_id`}`,
          ),
        ]
      : []),
    // Graders of a course learn nothing of users elsewhere. A former grader may be any user, so an unknown one has no changes.
    ...(student_id === undefined
      ? []
      : [
          mayAuditInstitution(call) || !course
            ? isNone(sql`users u where u.id = ${student_id}`)
            : isNone(sql`enrollments e where e.user_id = ${student_id} and e.course_id = ${course.id}${inSectionLimit(course, 'e')}`),
        ]),
    ...(grader_id !== undefined && mayAuditInstitution(call) ? [isNone(sql`users u where u.id = ${grader_id}`)] : []),
  ];
  return lacks.length === 0 ? sql`0` : sql.join(lacks, sql` or `);
}

/** The page, or 404 if something that it is about does not exist. */
const changes = (call: Call, of: ChangesOf): Reply =>
  judged(
    call.db.build.all<{ lacks: number }>(sql`select (${lacking(call, of)}) as lacks`),
    ([it]) => {
      if (it?.lacks) throw notFound();
    },
    auditPage(call, of),
  );

const inCourse = '/audit/grade_change/courses/:course_id';
const narrower = [
  ['', 'List grade changes in a course'],
  ['/assignments/:assignment_id', 'List grade changes of an assignment in a course'],
  ['/assignments/:assignment_id/graders/:grader_id', 'List grade changes of an assignment by a grader'],
  ['/assignments/:assignment_id/graders/:grader_id/students/:student_id', 'List grade changes of a submission by a grader'],
  ['/assignments/:assignment_id/students/:student_id', 'List grade changes of a submission'],
  ['/graders/:grader_id', 'List grade changes in a course by a grader'],
  ['/graders/:grader_id/students/:student_id', 'List grade changes of a student in a course by a grader'],
  ['/students/:student_id', 'List grade changes of a student in a course'],
] as const;

type Part = 'assignment_id' | 'student_id' | 'grader_id';
const parts: readonly Part[] = ['assignment_id', 'student_id', 'grader_id'];

const partsOf = (path: Readonly<Partial<Record<Part, string>>>): ChangesOf =>
  Object.fromEntries(parts.flatMap((part) => (path[part] === undefined ? [] : [[part, idIn(path[part])]])));

const ofCourses = narrower.map(([rest, summary]) =>
  get(`${inCourse}${rest}`, { can: mayAuditCourse, params, include, returns, bookmarked: true, summary }, (call) =>
    changes(call, { course_id: call.course.id, ...partsOf(call.path) }),
  ),
);

const ofInstitution = (
  [
    ['/audit/grade_change/assignments/:assignment_id', 'List grade changes of an assignment'],
    ['/audit/grade_change/students/:student_id', 'List grade changes of a student'],
    ['/audit/grade_change/graders/:grader_id', 'List grade changes by a grader'],
  ] as const
).map(([path, summary]) =>
  get(path, { can: mayAuditInstitution, params, include, returns, bookmarked: true, summary }, (call) => changes(call, partsOf(call.path))),
);

interface Conditions extends Pick<Call, 'me' | 'institution'> {
  readonly course?: CourseContext;
  readonly params: {
    readonly course_id?: string;
    readonly assignment_id?: number | string;
    readonly student_id?: number;
    readonly grader_id?: number;
  };
}

/** @throws Problem 400 without a condition, 401, and 404 for an unknown course */
function askedFor(call: Conditions): ChangesOf {
  const { course_id, assignment_id, ...people } = call.params;
  const isAllowed = call.course ? mayAuditCourse(call) : mayAuditInstitution(call);
  if (!isAllowed) throw unauthorized();
  if (course_id !== undefined && !call.course) throw notFound();
  const isOverride = assignment_id === 'override';
  const given: ChangesOf = {
    ...(call.course && { course_id: call.course.id }),
    ...(assignment_id !== undefined && { assignment_id: isOverride ? null : idIn(String(assignment_id)) }),
    ...people,
  };
  const isIndexed = Object.values(given).some((value) => value !== null && value !== undefined);
  if (!isIndexed) throw problem(400, 'Must give at least one of course_id, assignment_id, student_id and grader_id');
  return given;
}

export const gradeChangeRoutes = [
  ...ofCourses,
  ...ofInstitution,

  get(
    '/audit/grade_change',
    {
      within: (_, { course_id }) => ({
        ...((typeof course_id === 'string' || typeof course_id === 'number') && { course: idOf('course', String(course_id)) }),
      }),
      // The handler decides by the course, if one is given.
      can: 'user',
      params: {
        ...params,
        course_id: optional(referenceTo('course')),
        assignment_id: optional(either(idField('assignment'), word)),
        student_id: optional(idField('user')),
        grader_id: optional(idField('user')),
      },
      include,
      returns,
      bookmarked: true,
      summary: 'List grade changes by several conditions',
    },
    (call) => changes(call, askedFor(call)),
  ),
];
