// The export of a gradebook.

import { bool, idField, listOf, optional, type Shape } from '@carrel/shared/wire/fields';
import { and, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isActiveOrInvitedStudent } from '../../../contexts/predicates';
import { inSectionLimit } from '../../../contexts/section_limit';
import { among } from '../../../database/ids';
import { randomText } from '../../../database/tokens';
import type { Call } from '../../../http/call';
import { post } from '../../../http/endpoint';
import { rows } from '../../../http/listing';
import { badParameter } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { seesNames } from '../../../rules/anonymous_grading';
import { assignments } from '../../assignments/table';
import { queueProgress } from '../../progress/progress';
import { progress } from '../../progress/table';
import { gradebookExport } from '../json';
import { exportJob, exportTag } from './export_job';
import { expectFile, exportName } from './file';
import type { ExportRequest } from './read';

const given = {
  grading_period_id: optional(idField('grading_period')),
  assignment_group_id: optional(idField('assignment_group')),
  assignment_order: optional(listOf(idField('assignment'))),
  student_order: optional(listOf(idField('user'))),
  show_student_first_last_name: optional(bool),
  byte_order_mark: optional(bool),
};

type Asking = Call & { readonly course: CourseContext; readonly params: Shape<typeof given> };

const distinct = (ids: readonly number[] | undefined): number[] => [...new Set(ids ?? [])];

/** @throws Problem 400 that names the parameter with an id that does not exist here */
async function checkIds({ db, course, params }: Asking): Promise<void> {
  const { grading_period_id: period, assignment_group_id: group, assignment_order, student_order } = params;
  if (period !== undefined && !course.grading.periods.some(({ id }) => id === period))
    throw badParameter('grading_period_id', 'names no grading period of the course');
  const [wanted, students] = [distinct(assignment_order), distinct(student_order)];
  if (group === undefined && wanted.length === 0 && students.length === 0) return;
  const [groups, found, enrolled] = await db.perform([
    db.build.all<{ id: number }>(
      sql`select g.id from assignment_groups g where g.id = ${group ?? 0} and g.course_id = ${course.id} and g.workflow_state = 'available'`,
    ),
    db.build
      .select({ id: assignments.id })
      .from(assignments)
      .where(
        and(among(assignments.id, wanted), sql`${assignments.course_id} = ${course.id} and ${assignments.workflow_state} <> 'deleted'`),
      ),
    db.build.all<{ id: number }>(
      sql`select distinct e.user_id as id from enrollments e where ${among(sql.raw('e.user_id'), students)} and +e.course_id = ${course.id} and ${isActiveOrInvitedStudent('+e')}${inSectionLimit(course, 'e')}`,
    ),
  ]);
  if (group !== undefined && groups.length === 0) throw badParameter('assignment_group_id', 'names no assignment group of the course');
  if (found.length < wanted.length) throw badParameter('assignment_order', 'names an assignment that does not exist');
  if (enrolled.length < students.length) throw badParameter('student_order', 'names a student who is not in the gradebook');
}

const requestOf = ({ course, params }: Asking, file_uuid: string): ExportRequest => ({
  course_id: course.id,
  file_uuid,
  sections: course.sectionLimit,
  seesNames: seesNames(course),
  shown: {
    splitsNames: params.show_student_first_last_name ?? false,
    sisIds: course.can('read_sis') || course.can('manage_sis'),
    logins: course.can('view_user_logins'),
  },
  period: params.grading_period_id,
  group: params.assignment_group_id,
  assignmentOrder: distinct(params.assignment_order),
  studentOrder: distinct(params.student_order),
  hasMark: params.byte_order_mark ?? false,
});

async function begin(call: Asking): Promise<Reply> {
  const { db, env, me, course, now } = call;
  await checkIds(call);
  const file_uuid = randomText(40);
  const isQueued = sql`${progress.context_type} = 'Course' and ${progress.context_id} = ${course.id} and ${progress.arguments} ->> '$.file_uuid' = ${file_uuid}`;
  // If the message is lost, the scheduled run sends another.
  call.afterwards(async () => {
    const [[made]] = await db.aside.perform([db.build.select({ id: progress.id }).from(progress).where(isQueued)]);
    if (made) await env.WORK.send({ job: exportJob, progress_id: made.id });
  });
  return write(
    [
      ...expectFile(db, me.id, exportName(now, course.course_code ?? course.name), file_uuid, now),
      queueProgress(
        db,
        { context_type: 'Course', context_id: course.id, user_id: me.id, tag: exportTag, arguments: { ...requestOf(call, file_uuid) } },
        now,
      ),
    ],
    one(rows(progress, { where: isQueued })),
  );
}

export const gradebookExportRoutes = [
  post(
    '/courses/:course_id/gradebook_csv',
    {
      can: ['manage_grades', 'view_all_grades'],
      params: given,
      returns: gradebookExport,
      summary: 'Export the gradebook as CSV',
    },
    (call) => begin(call),
  ),
];
