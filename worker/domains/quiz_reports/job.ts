// Writes a report as CSV in steps: the header, some attempts at a time, then the file from these pieces. An item analysis is one piece.

import { sql } from 'drizzle-orm';
import { nameKey } from '../../database/name_key';
import type { Database } from '../../database/open';
import { finishFile, keepPiece } from '../gradebook_csv/exports/pieces';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../progress/in_steps';
import { countAttempts, firstCounts } from '../quiz_statistics/count';
import {
  type AttemptKey,
  attemptsCounted,
  attemptWork,
  countedQuestionsIn,
  keyOfAttempt,
  type QuestionKey,
  questionsCounted,
  questionsNamed,
  workOf,
} from '../quiz_statistics/read';
import { attemptHead, attemptLine, itemLines, type ReportColumns, type ReportedAttempt } from './lines';
import { type QuizReportRequest, quizReportJob, quizReportTag } from './request';

/** Decided by the first step, so that all lines have the same columns. */
interface Plan {
  /** In the order of the lines. */
  readonly attempts: readonly AttemptKey[];
  readonly questions: readonly QuestionKey[];
}

interface Arguments extends QuizReportRequest {
  readonly plan?: Plan;
}

/** Attempts of one step, whose essays are read as a whole. */
const mostAtOnce = 50;
/** The numbers of the pieces after the header. */
const firstPiece = 1;

const columnsOf = (request: QuizReportRequest, questions: Parameters<typeof countedQuestionsIn>[0]): ReportColumns => ({
  questions: countedQuestionsIn(questions).filter((one) => one.question_type !== 'text_only_question'),
  isAnonymous: request.isAnonymous,
  showsSisIds: request.showsSisIds,
});

/** By name; those of anonymous surveys by the time at which they were completed. */
function inReportOrder<T extends { sortable_name: string; user_id: number; attempt: number; finished_at: string | null }>(
  attempts: readonly T[],
  isAnonymous: boolean,
): T[] {
  const key = (one: T) => (isAnonymous ? (one.finished_at ?? '') : nameKey(one.sortable_name));
  const compared = (a: T, b: T) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.user_id - b.user_id || a.attempt - b.attempt);
  return [...attempts].sort(compared);
}

/** Decides which attempts the file has, and writes its header. */
async function begin(db: Database, id: number, request: QuizReportRequest, now: string): Promise<ProgressStep> {
  const [attempts, questions] = await db.perform([attemptsCounted(db, request), questionsCounted(db, request)]);
  const plan: Plan = {
    attempts: inReportOrder(attempts, request.isAnonymous).map((one) => [one.quiz_submission_id, one.attempt]),
    questions: questions.map((one) => [one.question_id, one.version, one.points]),
  };
  return {
    statements: [
      db.build.run(sql`update progress set arguments = json_set(arguments, '$.plan', json(${JSON.stringify(plan)})) where id = ${id}`),
      ...keepPiece(db, id, 0, attemptHead(columnsOf(request, questions)), now),
    ],
    after: firstPiece,
    completion: 5,
  };
}

const login = (user: string) =>
  sql.raw(
    `(select l.sis_user_id from logins l where l.user_id = ${user} and l.account_id = 1 and l.workflow_state <> 'deleted' order by l.sis_user_id is null, l.id limit 1)`,
  );

/** Sections that the caller does not see are not named. */
const peopleOf = ({ build }: Database, { course_id, sections }: QuizReportRequest, keys: readonly AttemptKey[]) =>
  build.all<ReportedAttempt & { quiz_submission_id: number }>(
    sql`select own.id as quiz_submission_id, own.user_id, users.name, ${login('own.user_id')} as sis_user_id, tried.attempt, tried.finished_at, tried.score,
      (select json_group_array(json_array(x.name, x.id, x.sis_section_id)) from enrollments e join sections x on x.id = e.course_section_id
        where e.user_id = own.user_id and +e.course_id = ${course_id} and +e.type = 'StudentEnrollment' and +e.enrollment_state not in ('deleted', 'rejected')
          ${sections ? sql`and x.id in (select value from json_each(${JSON.stringify(sections)}))` : sql``}) as sections
      from json_each(${JSON.stringify(keys)}) j cross join quiz_submissions own on own.id = j.value ->> 0
        cross join quiz_attempts tried on tried.quiz_submission_id = own.id and tried.attempt = j.value ->> 1 cross join users on users.id = own.user_id
      order by j.key`,
  );

/** @param from the number of attempts that are written */
async function goOn(db: Database, id: number, request: QuizReportRequest, plan: Plan, from: number, now: string): Promise<ProgressStep> {
  const keys = plan.attempts.slice(from, from + mostAtOnce);
  const [questions, people, work] = await db.perform([
    questionsNamed(db, plan.questions),
    peopleOf(db, request, keys),
    workOf(db, keys, true),
  ]);
  const columns = columnsOf(request, questions);
  const found = new Map(work.map((one) => [keyOfAttempt(one), one]));
  const lines = people.map((one) => {
    const its = found.get(keyOfAttempt(one));
    return its ? attemptLine(one, attemptWork(its), columns) : '';
  });
  const reached = from + keys.length;
  return {
    statements: keepPiece(db, id, reached, lines.join(''), now),
    after: firstPiece + reached,
    completion: 5 + (90 * reached) / Math.max(1, plan.attempts.length),
  };
}

/** The whole item analysis, which is a line for each question. */
async function analyseItems(db: Database, id: number, request: QuizReportRequest, now: string): Promise<ProgressStep> {
  const [attempts, questions, first] = await db.perform([...firstCounts(db, request)]);
  const { tallies } = await countAttempts(db, attempts, questions, first);
  const lines = itemLines(tallies, { scores: attempts.map(({ score }) => score) });
  return { statements: keepPiece(db, id, 0, lines, now), after: firstPiece, completion: 90 };
}

const reporting: SteppedJob = {
  job: quizReportJob,
  tag: quizReportTag,
  async next(db, { id, after, arguments: given }, now, env) {
    const { plan, ...request } = given as Arguments;
    const file = { id, after, file_uuid: request.file_uuid };
    if (request.kind === 'item_analysis') return after === 0 ? analyseItems(db, id, request, now) : finishFile(db, env, file, now);
    if (!plan) return begin(db, id, request, now);
    if (after - firstPiece < plan.attempts.length) return goOn(db, id, request, plan, after - firstPiece, now);
    return finishFile(db, env, file, now);
  },
};

export const writeQuizReport = inSteps(reporting);
export const unfinishedQuizReports = unfinishedSteps(reporting);
