// Reports of quizzes as clients see them. Whether one was generated is in its Progress.

import { File } from '@carrel/shared/resources/file';
import { Progress } from '@carrel/shared/resources/progress';
import { QuizReport } from '@carrel/shared/resources/quiz_report';
import { cut } from '@carrel/shared/resources/resource';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Database } from '../../database/open';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { type FileRow, uploadedFile } from '../files/json';
import { files } from '../files/table';
import { type ProgressRow, progressJson } from '../progress/json';
import { progress } from '../progress/table';
import { isAnonymousSurvey } from '../quiz_statistics/read';
import { isSurvey } from '../quizzes/settings';
import { quizzes } from '../quizzes/table';
import { type ReportKind, reportId, reportKind } from './kinds';
import type { QuizReportRequest } from './request';

export type ReportedQuiz = Pick<
  typeof quizzes.$inferSelect,
  'id' | 'course_id' | 'quiz_type' | 'anonymous_submissions' | 'created_at' | 'updated_at'
>;

const readable = { student_analysis: 'Student Analysis', item_analysis: 'Item Analysis' };

/** Surveys have no right answers to analyse. */
export const isGeneratable = ({ quiz_type }: Pick<ReportedQuiz, 'quiz_type'>, { type }: ReportKind): boolean =>
  type !== 'item_analysis' || !isSurvey(quiz_type);

export const kindOfWork = ({ arguments: given }: Pick<ProgressRow, 'arguments'>): ReportKind => {
  const { kind, allVersions } = given as QuizReportRequest;
  return reportKind(kind, allVersions) ?? { type: 'student_analysis', allVersions: false };
};

/** @param work the Progress, once the report was requested */
export function quizReportJson(
  quiz: ReportedQuiz,
  kind: ReportKind,
  work: ProgressRow | undefined,
  paper: FileRow | undefined,
  call: Call,
) {
  const { origin, include } = call;
  const id = reportId(quiz.id, kind);
  return cut(QuizReport, {
    id,
    quiz_id: quiz.id,
    report_type: kind.type,
    readable_type: readable[kind.type],
    includes_all_versions: kind.allVersions,
    anonymous: isAnonymousSurvey(quiz),
    generatable: isGeneratable(quiz, kind),
    created_at: work?.created_at ?? quiz.created_at,
    updated_at: work?.updated_at ?? quiz.updated_at,
    url: `${origin}/api/v1/courses/${quiz.course_id}/quizzes/${quiz.id}/reports/${id}`,
    progress_url: work && `${origin}/api/v1/progress/${work.id}`,
    file: paper && cut(File, uploadedFile.json(paper, call, { folders: [] })),
    progress: work && include.has('progress') ? cut(Progress, progressJson.json(work, call, {})) : undefined,
  });
}

/** The finished files of reports. @param ids a select of ids of Progress */
export const papersOf = ({ build }: Database, ids: SQL) =>
  build
    .select()
    .from(files)
    .where(
      and(
        eq(files.workflow_state, 'available'),
        sql`${files.uuid} in (select p.arguments ->> '$.file_uuid' from progress p where p.id in (${ids}))`,
      ),
    );

/** The file of a report among others. */
export const paperOf = ({ arguments: given }: Pick<ProgressRow, 'arguments'>, papers: readonly FileRow[]): FileRow | undefined =>
  papers.find(({ uuid }) => uuid === (given as QuizReportRequest).file_uuid);

/** A report that was requested. */
export const quizReport = serializer({
  resource: QuizReport,
  table: progress,
  also: (ids, { db }) => ({
    quizRows: db.build
      .select()
      .from(quizzes)
      .where(isInSelect(quizzes.id, sql`select p.context_id from progress p where p.id in (${ids})`)),
    papers: papersOf(db, ids),
  }),
  json(row: ProgressRow, call, { quizRows, papers }) {
    const quiz = quizRows.find(({ id }) => id === row.context_id);
    return quiz ? quizReportJson(quiz, kindOfWork(row), row, paperOf(row, papers), call) : {};
  },
});
