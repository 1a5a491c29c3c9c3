// Writes a report about a New Quiz in steps: its start, some rows at a time, then the file from these pieces.

import { sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { htmlToText } from '../../../html/plain';
import { newBlobKey, storeBlob } from '../../files/upload/blobs';
import { completeFile } from '../../gradebook_csv/exports/file';
import { keptPieces } from '../../gradebook_csv/exports/pieces';
import { inSteps, type ProgressStep, type SteppedJob, unfinishedSteps } from '../../progress/in_steps';
import type { CountedQuestion } from '../../quiz_statistics/choices_made';
import { countAttempts, firstCounts } from '../../quiz_statistics/count';
import {
  type AttemptKey,
  type AttemptWork,
  attemptWork,
  type CountedQuiz,
  countedQuestionsIn,
  type QuestionKey,
  questionsCounted,
  questionsNamed,
  workOf,
} from '../../quiz_statistics/read';
import { newQuizKey } from '../../quiz_submissions/interactions/taken_new_quiz';
import { expectBlob } from '../../sis_imports/files/kept_files';
import { presentedItemId } from '../sessions/drawn_items';
import { figuresOfItem, responseText } from './figures';
import {
  closingOf,
  linesOf,
  type NewQuizReportFormat,
  type NewQuizReportRow,
  type NewQuizReportType,
  openingOf,
  reportColumns,
  responseColumns,
} from './lines';
import { itemsAfter, type ReportScope, rowsOfStep, studentsAfter, studentsOfStep } from './read';

/** The input of the job: what was asked for, and what the caller may see. */
export interface NewQuizReportRequest extends ReportScope {
  readonly type: NewQuizReportType;
  readonly format: NewQuizReportFormat;
  readonly file_uuid: string;
  /** The address of the file. */
  readonly url: string;
  readonly seesNames: boolean;
}

/** Where the rows end, and the file is made; and which questions the rows of students have. */
interface Standing {
  readonly has_all?: boolean;
  readonly questions?: readonly QuestionKey[];
}

const keepPiece = (db: Database, progress_id: number, content: string, now: string): Statement =>
  db.build.run(
    sql`insert into gradebook_csv_pieces (progress_id, piece, content, created_at)
      select ${progress_id}, 1 + coalesce(max(piece), 0), ${content}, ${now} from gradebook_csv_pieces where progress_id = ${progress_id}`,
  );

/** A report names students, so it ends where they have become anonymous. */
const isAnonymousNow = (db: Database, { new_quiz_id }: ReportScope) =>
  db.build.all<{ is_anonymous: number }>(sql`select a.anonymize_students as is_anonymous from assignments a where a.id = ${new_quiz_id}`);

const countedOf = ({ course_id, new_quiz_id, sections }: ReportScope): CountedQuiz => ({
  course_id,
  quiz_id: newQuizKey(new_quiz_id),
  allVersions: false,
  sections,
});

const titleOf = ({ data, question_text, id }: CountedQuestion): string =>
  htmlToText(String(data.item ? data.item.title || data.item.item_body : question_text))
    .replace(/\s+/g, ' ')
    .trim() || String(id);

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly NewQuizReportRow[];
  readonly isLast: boolean;
  /** How far the report has come. */
  readonly reached: number;
  /** Statements that keep what the next step needs. */
  readonly keep: readonly Statement[];
}

/** Students with their responses in the newest attempt that they turned in. */
async function studentRows(db: Database, id: number, request: NewQuizReportRequest & Standing, after: number): Promise<Rows> {
  const [students, asked] = await db.perform([
    studentsAfter(db, request, after),
    request.questions ? questionsNamed(db, request.questions) : questionsCounted(db, countedOf(request)),
  ]);
  const keys = students.flatMap(({ quiz_submission_id, turned_in }): AttemptKey[] =>
    quiz_submission_id === null || turned_in === null ? [] : [[quiz_submission_id, turned_in]],
  );
  const [found] = await db.perform([workOf(db, keys, true)]);
  const work = new Map(found.map((one) => [one.quiz_submission_id, attemptWork(one)]));
  const questions = countedQuestionsIn(asked).filter(({ question_type }) => question_type !== 'stimulus');
  const named = questions.map((question) => ({ question, columns: responseColumns(question.id, titleOf(question)) }));
  const cellsOf = ({ results, given }: AttemptWork) => {
    const points = new Map(results.map((one) => [one.question_id, one.points]));
    return named.flatMap(({ question, columns: [response, score] }) =>
      points.has(question.id)
        ? [
            [response, responseText(question, given.get(question.id) ?? null)],
            [score, points.get(question.id) ?? null],
          ]
        : [],
    );
  };
  const plan = JSON.stringify(asked.map((one) => [one.question_id, one.version, one.points]));
  return {
    columns: [...reportColumns.student_analysis, ...named.flatMap(({ columns }) => columns)],
    rows: students.map((one) => ({
      ...one,
      ...Object.fromEntries(cellsOf(work.get(one.quiz_submission_id ?? 0) ?? { results: [], given: new Map() })),
    })),
    isLast: students.length < studentsOfStep,
    reached: students.at(-1)?.reached ?? after + 1,
    keep: request.questions
      ? []
      : [db.build.run(sql`update progress set arguments = json_set(arguments, '$.questions', json(${plan})) where id = ${id}`)],
  };
}

/** Items with the counts of their responses; questions of banks follow the last item. */
async function itemRows(db: Database, request: NewQuizReportRequest, after: number): Promise<Rows> {
  const [items, attempts, questions, first] = await db.perform([itemsAfter(db, request, after), ...firstCounts(db, countedOf(request))]);
  const { tallies } = await countAttempts(db, attempts, questions, first);
  const isLast = items.length < rowsOfStep;
  const byQuestion = new Map(tallies.map((one) => [one.question.id, one]));
  const drawn = tallies.filter(({ question }) => !question.data.item);
  const reached = items.at(-1)?.reached ?? after;
  const ofItems = items
    .filter(({ bank_entry_id }) => bank_entry_id === null || !byQuestion.has(Number(bank_entry_id)))
    .map((one) => ({ ...one, ...figuresOfItem(byQuestion.get(presentedItemId(Number(one.item_id)))) }));
  const ofBanks = drawn.map((tally) => ({
    position: items.find(({ bank_entry_id }) => bank_entry_id === tally.question.id)?.position ?? null,
    entry_type: 'BankEntry',
    interaction_type: tally.question.question_type,
    title: titleOf(tally.question),
    points_possible: tally.question.points,
    bank_entry_id: tally.question.id,
    ...figuresOfItem(tally),
  }));
  return {
    columns: reportColumns.item_analysis,
    rows: [...ofItems, ...(isLast ? ofBanks : [])],
    isLast,
    reached: isLast ? reached + 1 : reached,
    keep: [],
  };
}

async function goOn(db: Database, id: number, request: NewQuizReportRequest & Standing, after: number, now: string): Promise<ProgressStep> {
  const { type, format, seesNames } = request;
  const [facts] = await db.perform([isAnonymousNow(db, request)]);
  if (type === 'student_analysis' && facts[0]?.is_anonymous === 1 && !seesNames)
    return { statements: [], after: after + 1, completion: 0, end: { failure: 'The students of this quiz are anonymous.' } };
  const { columns, rows, isLast, reached, keep } =
    type === 'student_analysis' ? await studentRows(db, id, request, after) : await itemRows(db, request, after);
  const content = `${after === 0 ? openingOf(columns, format) : ''}${linesOf(columns, format, rows, after === 0)}${isLast ? closingOf(format) : ''}`;
  return {
    statements: [
      ...(content === '' ? [] : [keepPiece(db, id, content, now)]),
      ...keep,
      ...(isLast
        ? [db.build.run(sql`update progress set arguments = json_set(arguments, '$.has_all', json('true')) where id = ${id}`)]
        : []),
    ],
    after: reached,
    completion: isLast ? 90 : 50,
  };
}

const reporting: SteppedJob = {
  job: 'new_quiz_report',
  tag: 'new_quiz_report',
  async next(db, { id, after, arguments: given }, now, env) {
    const { has_all, ...request } = given as NewQuizReportRequest & Standing;
    if (!has_all) return goOn(db, id, request, after, now);
    const key = newBlobKey();
    await db.perform([expectBlob(db, key, now)]);
    const kept = await storeBlob(env.FILES, key, keptPieces(db, id), Number.POSITIVE_INFINITY, { r2_calls: 0 });
    return {
      statements: [
        ...completeFile(db, request.file_uuid, { key, ...kept }, now),
        db.build.run(sql`delete from gradebook_csv_pieces where progress_id = ${id}`),
        db.build.run(
          sql`update progress set results = json_object('url', ${request.url} || '/files/' || (select f.id from files f where f.uuid = ${request.file_uuid}) || '/download?download_frd=1') where id = ${id}`,
        ),
      ],
      after: after + 1,
      completion: 100,
      end: {},
    };
  },
};

export const newQuizReportJob = reporting.job;
export const newQuizReportTag = reporting.tag;
export const writeNewQuizReport = inSteps(reporting);
export const unfinishedNewQuizReports = unfinishedSteps(reporting);
