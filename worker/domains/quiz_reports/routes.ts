// Reports of quizzes: every endpoint, in the order of the API reference. Each caller has reports of their own, because they see different students.

import { bool, object, optional, text } from '@carrel/shared/wire/fields';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { del, get, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, notFound, rejected } from '../../http/problem';
import { answer, one, pageOfRows, type Reply, write } from '../../http/reply';
import { deleteFile, expectFile, reportName } from '../gradebook_csv/exports/file';
import type { ProgressRow } from '../progress/json';
import { failProgress, queueProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { isAnonymousSurvey, sectionsSeen } from '../quiz_statistics/read';
import { quizIn } from '../quiz_submissions/quiz_at';
import { presentQuiz } from '../quizzes/policy';
import { quizzes } from '../quizzes/table';
import { isGeneratable, kindOfWork, paperOf, papersOf, quizReport, quizReportJson } from './json';
import { kindOfReport, quizReportTypes, type ReportKind, reportKind } from './kinds';
import { type QuizReportRequest, quizReportJob, quizReportTag } from './request';

export const about = {
  title: 'Quiz reports',
  description: 'The attempts at a classic quiz as CSV: a line for each student, or for each question.',
};

const all = '/courses/:course_id/quizzes/:quiz_id/reports';
const single = `${all}/:id` as const;
const can = ['manage_grades', 'view_all_grades'] as const;
const include = ['file', 'progress'] as const;

type AtQuiz = Pick<Call, 'db' | 'me' | 'now'> & { readonly course: CourseContext; readonly path: { readonly quiz_id: string } };

/** The caller's requests for reports of the quiz that are not deleted. */
const ownRequests = ({ me, path }: AtQuiz): SQL =>
  sql`${progress.context_type} = 'Quiz' and ${progress.context_id} = ${quizIn(path)} and ${progress.user_id} = ${me.id} and ${progress.tag} = ${quizReportTag}
    and ${progress.arguments} ->> '$.is_deleted' is null`;

const isOf = (work: ProgressRow, kind: ReportKind): boolean => {
  const its = kindOfWork(work);
  return its.type === kind.type && its.allVersions === kind.allVersions;
};

/** The quiz with the caller's reports. @throws Problem 404 */
async function readReports(call: AtQuiz) {
  const { db, course, path } = call;
  const quiz_id = quizIn(path);
  const own = ownRequests(call);
  const [quizRows, works, papers, changes] = await db.perform([
    db.build.select().from(quizzes).where(presentQuiz(course, quiz_id)),
    db.build.select().from(progress).where(own),
    papersOf(db, sql`select ${progress.id} from ${progress} where ${own}`),
    db.build.all<{ at: string | null }>(sql`select max(updated_at) as at from quiz_submissions where quiz_id = ${quiz_id}`),
  ]);
  const quiz = found(quizRows[0]);
  const changed_at = [quiz.updated_at, changes[0]?.at ?? ''].reduce((a, b) => (a > b ? a : b));
  return {
    quiz,
    papers,
    changed_at,
    workOf: (kind: ReportKind): ProgressRow | undefined => works.findLast((work) => isOf(work, kind)),
  };
}

const isUnderWay = ({ workflow_state }: ProgressRow): boolean => workflow_state === 'queued' || workflow_state === 'running';

/** Forgets a request and deletes its file. */
const forget = ({ db, now }: AtQuiz, work: ProgressRow): Statement[] => [
  db.build.run(sql`update progress set arguments = json_set(arguments, '$.is_deleted', 1) where id = ${work.id}`),
  deleteFile(db, (work.arguments as QuizReportRequest).file_uuid, now),
];

type Asking = AtQuiz & Pick<Call, 'env' | 'afterwards'>;

async function generate(call: Asking, kind: ReportKind): Promise<Reply> {
  const { db, env, me, course, path, now } = call;
  const { quiz, papers, changed_at, workOf } = await readReports(call);
  if (!isGeneratable(quiz, kind)) throw rejected('report can not be generated');
  const before = workOf(kind);
  if (before && isUnderWay(before)) throw rejected('report is already being generated', 409);
  const sections = sectionsSeen(course);
  const showsSisIds = course.can('read_sis') || course.can('manage_sis');
  if (before?.workflow_state === 'completed' && paperOf(before, papers)) {
    const made = before.arguments as QuizReportRequest;
    const isForSame = JSON.stringify([made.sections, made.showsSisIds]) === JSON.stringify([sections, showsSisIds]);
    // Something that changes in the second of the request may be missing in the report.
    if (isForSame && before.created_at > changed_at) return one(rows(progress, { where: eq(progress.id, before.id) }));
  }
  const file_uuid = randomText(40);
  const isQueued = sql`${ownRequests(call)} and ${progress.arguments} ->> '$.file_uuid' = ${file_uuid}`;
  // If the message is lost, the scheduled run sends another.
  call.afterwards(async () => {
    const [[made]] = await db.aside.perform([db.build.select({ id: progress.id }).from(progress).where(isQueued)]);
    if (made) await env.WORK.send({ job: quizReportJob, progress_id: made.id });
  });
  const request: QuizReportRequest = {
    course_id: course.id,
    quiz_id: quizIn(path),
    kind: kind.type,
    allVersions: kind.allVersions,
    sections,
    showsSisIds,
    isAnonymous: isAnonymousSurvey(quiz),
    file_uuid,
  };
  return write(
    [
      ...(before ? forget(call, before) : []),
      ...expectFile(db, me.id, reportName(now, quiz.title, kind.type), file_uuid, now),
      queueProgress(
        db,
        { context_type: 'Quiz', context_id: request.quiz_id, user_id: me.id, tag: quizReportTag, arguments: { ...request } },
        now,
      ),
    ],
    one(rows(progress, { where: isQueued })),
  );
}

/** @throws Problem 404 for an id that names no report of the quiz */
const kindAt = ({ path, id }: { readonly path: { readonly quiz_id: string }; readonly id: number }): ReportKind => {
  const kind = kindOfReport(quizIn(path), id);
  if (!kind) throw notFound();
  return kind;
};

export const quizReportRoutes = [
  get(
    all,
    {
      can,
      params: { includes_all_versions: optional(bool) },
      include,
      fresh: true,
      returns: [quizReport],
      summary: 'List the reports of a quiz',
    },
    async (call) => {
      const { quiz, papers, workOf } = await readReports(call);
      const kinds = quizReportTypes.flatMap((type) => reportKind(type, call.params.includes_all_versions ?? false) ?? []);
      return pageOfRows(
        kinds.map((kind) => {
          const work = workOf(kind);
          return quizReportJson(quiz, kind, work, work && paperOf(work, papers), call);
        }),
      );
    },
  ),

  post(
    all,
    {
      can,
      params: { quiz_report: optional(object({ report_type: optional(text), includes_all_versions: optional(bool) })) },
      include,
      returns: quizReport,
      summary: 'Generate a report of a quiz',
    },
    (call) => {
      const { report_type, includes_all_versions = false } = call.params.quiz_report ?? {};
      const kind = reportKind(report_type, includes_all_versions);
      if (!kind) throw rejected('invalid quiz report type');
      return generate(call, kind);
    },
  ),

  get(single, { can, include, fresh: true, returns: quizReport, summary: 'Get a report of a quiz' }, async (call) => {
    const kind = kindAt(call);
    const { quiz, papers, workOf } = await readReports(call);
    const work = workOf(kind);
    return answer(quizReportJson(quiz, kind, work, work && paperOf(work, papers), call));
  }),

  del(single, { can, returns: { json: null }, status: 204, summary: 'Delete a report of a quiz, or abort it' }, async (call) => {
    const kind = kindAt(call);
    const { papers, workOf } = await readReports(call);
    const work = workOf(kind);
    if (!work || (!isUnderWay(work) && !paperOf(work, papers))) throw rejected('report is not being generated', 422);
    if (work.workflow_state === 'running') throw rejected('report can not be aborted', 422);
    return write([failProgress(call.db, work.id, 'canceled', call.now), ...forget(call, work)], answer(null));
  }),
];
