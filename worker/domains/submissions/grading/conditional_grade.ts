// The precondition of a grade: a grader changes only the submission that they have seen.

import { not, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../database/open';
import type { Call } from '../../../http/call';
import { type Condition, type ConditionalCall, isMet, isMetBy, refusedBy, textConditionOf } from '../../../http/conditional';
import { type Problem, refused } from '../../../http/problem';
import type { Refusals } from '../../../http/reply';
import { submissionId } from '../../../rules/submission_ids';
import { gradingVersion } from '../../../rules/submission_version';
import { looksAsGrader } from '../../assignments/submissions/policy';
import { type Here, slotOf } from '../context';
import { submissionAlone } from '../json';
import { submissions } from '../table';
import type { GradeWrite } from './input';
import { ensureAll } from './writes';

type Conditional = Call & Here & { readonly user: { readonly id: number } };

export interface GradeCondition {
  /** @throws Problem 412 where the version that was read is another */
  check(version: string): Promise<void>;
  /** Breaks the batch where the row has another version. Creates the row of a student who has none. */
  guard(deed: GradeWrite): Statement[];
  readonly refusals: Refusals;
}

const without: GradeCondition = { check: async () => {}, guard: () => [], refusals: {} };

/** What graders see beside the grade, to decide again. */
const shown = ['submission_comments', 'rubric_assessment', 'submission_history'];

function conditionalGrade(call: Conditional, condition: Condition<string>, assignment: SQL): GradeCondition {
  const { db, user } = call;
  const refusal = (): Promise<Problem> =>
    refusedBy({ ...call, include: new Set(shown) }, submissionAlone, slotOf(call, assignment, user.id));
  return {
    async check(version) {
      if (!isMet(condition, version)) throw await refusal();
    },
    guard: (deed) => [
      ensureAll(call, [deed]),
      db.build
        .update(submissions)
        .set({ workflow_state: sql`null` })
        .where(sql`${submissions.id} = ${submissionId(deed.assignment.id, user.id)} and ${not(isMetBy(condition, gradingVersion()))}`),
    ],
    refusals: { 'submissions.workflow_state': refusal },
  };
}

/**
 * @param assignment a select of its id
 * @throws Problem 400 for a condition of a caller who does not see the version: the response would reveal a hidden grade
 */
export function gradeConditionOf(call: Conditional, assignment: SQL): GradeCondition {
  const condition = call.conditional && textConditionOf(call as Conditional & ConditionalCall);
  if (!condition) return without;
  if (!looksAsGrader(call, call.user.id)) throw refused(400, 'If-Match and If-None-Match are for graders of the submission');
  return conditionalGrade(call, condition, assignment);
}
