// How question banks of a course are copied to another course. Those of accounts are shared by the courses below.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, notDeletedAs, ofCourseContext } from '../../rules/copied_kind';
import { question_banks } from './table';

export const questionBankCopied: CopiedKindFacts = {
  kind: 'question_bank',
  table: question_banks,
  asset: 'assessment_question_bank',
  title: 'title',
  planned:
    "(select json_group_array(al.learning_outcome_id) from outcome_alignments al where al.content_type = 'AssessmentQuestionBank' and al.content_id = o.id) as outcome_ids",
  there: (a, course) => sql`${ofCourseContext(a, course)} and ${notDeletedAs(a)}`,
  kept: [],
  differing: (route) => ({ context_id: shared('course', route.to) }),
};
