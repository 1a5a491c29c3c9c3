// Reports about a New Quiz: a job writes a file for the caller (reference 04 §10.4).

import { object, optional, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { randomText } from '../../../database/tokens';
import { absolute, post } from '../../../http/endpoint';
import { rows } from '../../../http/listing';
import { badParameter, found, problem } from '../../../http/problem';
import { one, write } from '../../../http/reply';
import { isAnonymisedSql, seesNames } from '../../../rules/anonymous_grading';
import { assignments } from '../../assignments/table';
import { displayName } from '../../files/names';
import { expectFile } from '../../gradebook_csv/exports/file';
import { progressJson } from '../../progress/json';
import { queueProgress } from '../../progress/progress';
import { progress } from '../../progress/table';
import { presentNewQuiz } from '../policy';
import { newQuizReportFormats, newQuizReportTypes } from './lines';
import { type NewQuizReportRequest, newQuizReportJob, newQuizReportTag } from './report_job';

export const about = { title: 'New Quiz reports', description: 'Reports about the students and items of a New Quiz, as files.' };

/** @throws Problem 400 for a missing or unknown word */
function wordOfReport<const W extends readonly string[]>(words: W, given: string | undefined, name: string): W[number] {
  const known = words.find((word) => word === given);
  if (known === undefined) throw badParameter(`quiz_report[${name}]`, `is not one of ${words.join(', ')}`);
  return known;
}

const params = { quiz_report: optional(object({ report_type: optional(text), format: optional(text) })) };

export const newQuizReportRoutes = absolute(
  post(
    '/api/quiz/v1/courses/:course_id/quizzes/:assignment_id/reports',
    { can: ['manage_grades', 'view_all_grades'], params, returns: progressJson, summary: 'Create a report about a New Quiz' },
    async (call) => {
      const { db, env, me, course, path, now, origin } = call;
      const type = wordOfReport(newQuizReportTypes, call.params.quiz_report?.report_type, 'report_type');
      const format = wordOfReport(newQuizReportFormats, call.params.quiz_report?.format, 'format');
      const isRunning = sql`exists (select 1 from progress p where p.context_type = 'Assignment' and p.context_id = assignments.id and p.tag = ${newQuizReportTag}
        and p.workflow_state in ('queued', 'running') and p.arguments ->> '$.type' = ${type} and p.arguments ->> '$.format' = ${format} and p.user_id = ${me.id})`;
      const [there] = await db.perform([
        db.build
          .select({
            id: assignments.id,
            name: assignments.name,
            is_running: sql<number>`${isRunning}`.as('is_running'),
            is_anonymous: sql<number>`${isAnonymisedSql('assignments', course)}`.as('is_anonymous'),
          })
          .from(assignments)
          .where(presentNewQuiz(course, path)),
      ]);
      const { id, name, is_running, is_anonymous } = found(there[0]);
      if (is_running === 1) throw problem(409, 'The report is already being generated');
      if (is_anonymous === 1 && type === 'student_analysis') throw problem(403, 'The students of this quiz are anonymous');
      const file_uuid = randomText(40);
      const request: NewQuizReportRequest = {
        course_id: course.id,
        new_quiz_id: id,
        type,
        format,
        file_uuid,
        url: origin,
        sections: course.sectionLimit,
        showsSisIds: course.can('read_sis') || course.can('manage_sis'),
        seesNames: seesNames(course),
      };
      const isQueued = sql`${progress.context_type} = 'Assignment' and ${progress.context_id} = ${id} and ${progress.arguments} ->> '$.file_uuid' = ${file_uuid}`;
      // If the message is lost, the scheduled run sends another.
      call.afterwards(async () => {
        const [[made]] = await db.aside.perform([db.build.select({ id: progress.id }).from(progress).where(isQueued)]);
        if (made) await env.WORK.send({ job: newQuizReportJob, progress_id: made.id });
      });
      const filename = displayName(
        `${now.slice(0, 19).replaceAll(':', '')}_${type}-${name.replace(/[^\p{L}\p{N}]+/gu, '_').slice(0, 100)}.${format}`,
      );
      return write(
        [
          ...expectFile(db, me.id, filename, file_uuid, now),
          queueProgress(
            db,
            { context_type: 'Assignment', context_id: id, user_id: me.id, tag: newQuizReportTag, arguments: { ...request } },
            now,
          ),
        ],
        one(rows(progress, { where: isQueued })),
      );
    },
  ),
);
