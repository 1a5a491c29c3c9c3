// Questions as staff see them, with their keys. What students see of a presented question is in quiz_submissions.

import { QuizQuestion } from '@carrel/shared/resources/quiz_question';
import { and, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { inCourse, verifiersIn } from '../../rules/file_verifiers';
import { quiz_questions } from './table';

export type QuestionRow = RowOf<typeof quiz_questions>;

const noComments = {
  correct_comments: '',
  incorrect_comments: '',
  neutral_comments: '',
  correct_comments_html: '',
  incorrect_comments_html: '',
  neutral_comments_html: '',
};

/** Members that only some types have. */
const noParts = {
  variables: null,
  formulas: null,
  answer_tolerance: null,
  formula_decimal_places: null,
  matches: null,
  matching_answer_incorrect_matches: null,
};

type Content = Pick<QuestionRow, 'question_text' | 'data'> &
  Partial<Pick<QuestionRow, 'regrade'>> & { readonly file_verifiers?: string | null };

/** A question with its key, and blank members for what its type does not have. */
export const questionJson = <T extends Content>(row: T, { origin }: Pick<Call, 'origin'>) => ({
  ...row,
  question_text: withHost(row.question_text, origin, row.file_verifiers),
  ...noComments,
  ...noParts,
  ...row.data,
  regrade_option: row.regrade?.option ?? null,
});

/** The question of a bank that a question is a copy of. */
const originals = (ids: Parameters<typeof isInSelect>[1], { db }: Pick<Call, 'db'>) =>
  db.build
    .select()
    .from(quiz_questions)
    .where(
      and(
        isInSelect(
          quiz_questions.id,
          sql`select copy.assessment_question_id from quiz_questions copy where copy.id in (select * from (${ids})) and copy.assessment_question_id is not null`,
        ),
      ),
    );

export const quizQuestion = serializer({
  resource: QuizQuestion,
  table: quiz_questions,
  columns: () => ({
    group_points: sql<
      number | null
    >`(select quiz_groups.question_points from quiz_groups where quiz_groups.id = quiz_questions.quiz_group_id)`.as('group_points'),
    file_verifiers: verifiersIn(sql.raw('quiz_questions.question_text'), inCourse(sql.raw('quiz_questions.course_id'))).as(
      'file_verifiers',
    ),
  }),
  also: (ids, call) => ({
    originals: call.include.has('assessment_question') ? originals(ids, call) : undefined,
  }),
  json(row: QuestionRow & { readonly file_verifiers: string | null; readonly group_points: number | null }, call, { originals: all }) {
    const original = all?.find((one) => one.id === row.assessment_question_id);
    return {
      ...questionJson(row, call),
      points_possible: row.group_points ?? row.points_possible,
      assessment_question: original && { id: original.id, question_data: questionJson(original, call) },
    };
  },
});
