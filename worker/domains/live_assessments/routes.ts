// Live assessments: every endpoint, in the order of the API reference. A result of one that assesses an outcome is also a result of that outcome.

import { idField, optional } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { readId } from '../../contexts/references';
import { inSectionLimit, isInSectionLimit } from '../../contexts/section_limit';
import type { Call } from '../../http/call';
import { get, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, unauthorized } from '../../http/problem';
import { all, judged, listWithin, write } from '../../http/reply';
import { assessmentParams, assessmentsGiven, refusedLive, resultParams, resultsGiven } from './input';
import { liveAssessment, liveAssessmentResult } from './json';
import { live_assessment_results, live_assessments } from './table';

export const about = {
  title: 'Live assessments',
  description: 'What a teacher checks during a lesson, and which students have passed it.',
};

const base = '/courses/:course_id/live_assessments';
const ofResults = `${base}/:assessment_id/results` as const;
const grades = ['view_all_grades', 'manage_grades'] as const;

const linksOf = ({ origin, course }: { readonly origin: string; readonly course: CourseContext }) => ({
  'assessments.results': `${origin}/courses/${course.id}/live_assessments/{assessments.id}/results`,
});

const inCourse = (course: CourseContext): SQL => eq(live_assessments.course_id, course.id);

type AtAssessment = Pick<Call, 'db'> & { readonly course: CourseContext; readonly path: { readonly assessment_id: string } };
const idAt = ({ path }: Pick<AtAssessment, 'path'>): number => found(readId(path.assessment_id));
const there = (call: AtAssessment) =>
  call.db.build
    .select({ id: live_assessments.id })
    .from(live_assessments)
    .where(and(inCourse(call.course), eq(live_assessments.id, idAt(call))));

export const liveAssessmentRoutes = [
  get(base, { can: grades, returns: { wrapped: 'assessments', of: liveAssessment }, summary: 'List live assessments' }, (call) =>
    listWithin(rows(live_assessments, { where: inCourse(call.course) }), (assessments) => ({
      links: linksOf(call),
      assessments,
      meta: {},
    })),
  ),

  post(
    base,
    {
      can: 'manage_assignments_add',
      params: assessmentParams,
      returns: { wrapped: 'assessments', of: liveAssessment },
      summary: 'Create live assessments, or find them by their keys',
    },
    async ({ db, course, now, params }) => {
      const given = assessmentsGiven(params);
      const outcomes = [...new Set(given.flatMap(({ outcome }) => outcome ?? []))];
      if (outcomes.length > 0 && !course.can('manage_outcomes')) throw unauthorized();
      const [linked] = await db.perform([
        db.build.all<{ id: number }>(
          sql`select distinct l.learning_outcome_id as id from learning_outcome_links l where l.learning_outcome_id in (select value from json_each(${JSON.stringify(outcomes)}))
            and l.context_type = 'Course' and l.context_id = ${course.id}`,
        ),
      ]);
      if (linked.length < outcomes.length) throw refusedLive('outcome is not linked to the course');
      const list = sql`json_each(${JSON.stringify(given)}) j`;
      const isGiven = sql`exists (select 1 from ${list} where j.value ->> 'key' = ${live_assessments.key})`;
      return write(
        [
          db.build.run(sql`insert into live_assessments (course_id, key, title, created_at, updated_at)
            select ${course.id}, j.value ->> 'key', j.value ->> 'title', ${now}, ${now} from ${list} where true order by j.key on conflict (course_id, key) do nothing`),
          db.build.run(sql`insert or ignore into outcome_alignments (learning_outcome_id, content_type, content_id)
            select j.value ->> 'outcome', 'LiveAssessment', a.id from ${list} join live_assessments a on a.course_id = ${course.id} and a.key = j.value ->> 'key' where j.value ->> 'outcome' is not null`),
        ],
        all(rows(live_assessments, { where: and(inCourse(course), isGiven) })),
      );
    },
  ),

  get(
    ofResults,
    {
      can: grades,
      params: { user_id: optional(idField('user')) },
      returns: { wrapped: 'results', of: liveAssessmentResult },
      summary: 'List results of a live assessment',
    },
    (call) => {
      const { course, params } = call;
      const where = and(
        eq(live_assessment_results.assessment_id, idAt(call)),
        params.user_id === undefined ? undefined : eq(live_assessment_results.user_id, params.user_id),
        isInSectionLimit(course, sql`live_assessment_results.user_id`),
      );
      const ofUser = listWithin(rows(live_assessment_results, { where }), (results) => ({ results, meta: {} }));
      return judged(there(call), ([known]) => void found(known), ofUser);
    },
  ),

  post(
    ofResults,
    {
      can: 'manage_grades',
      params: resultParams,
      returns: { wrapped: 'results', of: liveAssessmentResult },
      summary: 'Add results to a live assessment',
    },
    async (call) => {
      const { db, course, me, now, params } = call;
      const id = idAt(call);
      const given = resultsGiven(params, now);
      const users = [...new Set(given.map(({ user }) => user))];
      const [[known], students] = await db.perform([
        there(call),
        db.build.all<{ id: number }>(
          sql`select distinct e.user_id as id from enrollments e where e.user_id in (select value from json_each(${JSON.stringify(users)})) and e.course_id = ${course.id}
            and e.type = 'StudentEnrollment' and e.enrollment_state in ('active', 'invited', 'completed', 'inactive')${inSectionLimit(course, 'e')}`,
        ),
      ]);
      found(known);
      if (students.length < users.length) throw refusedLive('user is not a student of the course');
      const newest = sql`${live_assessment_results.id} in (select n.id from live_assessment_results n where n.assessment_id = ${id} order by n.id desc limit cast(${given.length} as integer))`;
      return write(
        [
          db.build.run(sql`insert into live_assessment_results (assessment_id, course_id, user_id, assessor_id, passed, assessed_at, created_at, updated_at)
            select ${id}, ${course.id}, j.value ->> 'user', ${me.id}, j.value ->> 'passed', j.value ->> 'assessed_at', ${now}, ${now} from json_each(${JSON.stringify(given)}) j where true order by j.key`),
        ],
        all(rows(live_assessment_results, { where: newest })),
      );
    },
  ),
];
