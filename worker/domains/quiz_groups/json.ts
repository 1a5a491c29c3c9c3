// Question groups as staff see them.

import { QuizGroup } from '@carrel/shared/resources/quiz_group';
import { serializer } from '../../http/serializer';
import { quiz_groups } from './table';

type GroupRow = typeof quiz_groups.$inferSelect;

export const quizGroupJson = ({ question_bank_id, ...row }: GroupRow) => ({ ...row, assessment_question_bank_id: question_bank_id });

export const quizGroup = serializer({ resource: QuizGroup, table: quiz_groups, json: (row: GroupRow) => quizGroupJson(row) });
