// Outcomes that the questions of a bank assess: endpoints of Carrel's own, because Canvas has them only in its pages.

import { BankAlignment } from '@carrel/shared/resources/bank_alignment';
import { cut } from '@carrel/shared/resources/resource';
import { idField, listOf, maybe, number, object, optional } from '@carrel/shared/wire/fields';
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { get, put } from '../../http/endpoint';
import { badParameter, found } from '../../http/problem';
import { answer, type Reply, write } from '../../http/reply';
import { isAvailableIn, presentOutcome } from '../../rules/available_outcomes';
import { question_banks } from '../question_banks/table';
import { outcomeContextOf } from './context';
import { learning_outcomes, outcome_alignments } from './table';

/** Outcomes of one bank. */
const most = 100;

const params = {
  alignments: optional(listOf(object({ learning_outcome_id: idField('learning_outcome'), mastery_score: optional(maybe(number)) }))),
};

type AtBank = Pick<Call, 'db' | 'course' | 'account'> & { readonly id: number };

const bankThere = (call: AtBank) =>
  call.db.build
    .select({ id: question_banks.id })
    .from(question_banks)
    .where(
      and(
        eq(question_banks.id, call.id),
        eq(question_banks.context_type, call.course ? 'Course' : 'Account'),
        eq(question_banks.context_id, outcomeContextOf(call).id),
        eq(question_banks.workflow_state, 'active'),
      ),
    );

const ofBank = (id: number): SQL =>
  and(eq(outcome_alignments.content_type, 'AssessmentQuestionBank'), eq(outcome_alignments.content_id, id)) as SQL;

const alignmentsThere = ({ db, id }: AtBank) =>
  db.build
    .select({
      learning_outcome_id: outcome_alignments.learning_outcome_id,
      mastery_score: outcome_alignments.mastery_score,
      title: learning_outcomes.title,
    })
    .from(outcome_alignments)
    .innerJoin(learning_outcomes, and(eq(learning_outcomes.id, outcome_alignments.learning_outcome_id), presentOutcome))
    .where(ofBank(id))
    .orderBy(asc(outcome_alignments.learning_outcome_id));

async function alignmentsOf(call: AtBank): Promise<Reply> {
  const [[bank], alignments] = await call.db.perform([bankThere(call), alignmentsThere(call)]);
  found(bank);
  return answer(alignments.map((one) => cut(BankAlignment, one)));
}

/** @throws Problem 400 for too many outcomes, the same one twice, or a share that is none */
function checkAlignments(given: readonly { readonly learning_outcome_id: number; readonly mastery_score?: number | null }[]): void {
  if (given.length > most) throw badParameter('alignments', `has more than ${most} outcomes`);
  if (new Set(given.map((one) => one.learning_outcome_id)).size < given.length) throw badParameter('alignments', 'has an outcome twice');
  const isShare = (share: number) => share >= 0 && share <= 1;
  if (given.some(({ mastery_score }) => mastery_score != null && !isShare(mastery_score)))
    throw badParameter('alignments[mastery_score]', 'is not a number from 0 to 1');
}

export const bankAlignmentRoutes = (['/accounts/:account_id', '/courses/:course_id'] as const).flatMap((place) => {
  const at = `${place}/question_banks/:id/outcome_alignments` as const;
  return [
    get(
      at,
      { can: ['read_question_banks', 'manage_outcomes'], returns: { json: null }, summary: 'List outcomes that a question bank assesses' },
      alignmentsOf,
    ),

    put(
      at,
      { can: 'manage_outcomes', params, returns: { json: null }, summary: 'Set the outcomes that a question bank assesses' },
      async (call) => {
        const { db, id, params: given } = call;
        const wanted = given.alignments;
        // Only an empty list removes what is there.
        if (!wanted) return alignmentsOf(call);
        checkAlignments(wanted);
        const ids = wanted.map((one) => one.learning_outcome_id);
        const [[bank], usable] = await db.perform([
          bankThere(call),
          db.build
            .select({ id: learning_outcomes.id, title: learning_outcomes.title })
            .from(learning_outcomes)
            .where(
              and(
                inArray(learning_outcomes.id, sql`(select value from json_each(${JSON.stringify(ids)}))`),
                presentOutcome,
                isAvailableIn(outcomeContextOf(call)),
              ),
            ),
        ]);
        found(bank);
        const titleOf = new Map(usable.map((one) => [one.id, one.title]));
        if (usable.length < ids.length) throw badParameter('alignments[learning_outcome_id]', 'is not an outcome of this context');
        const rows = wanted
          .map(({ learning_outcome_id, mastery_score = null }) => ({ learning_outcome_id, mastery_score }))
          .sort((a, b) => a.learning_outcome_id - b.learning_outcome_id);
        const list = JSON.stringify(rows);
        return write(
          [
            db.build
              .delete(outcome_alignments)
              .where(
                and(
                  ofBank(id),
                  sql`${outcome_alignments.learning_outcome_id} not in (select value ->> 'learning_outcome_id' from json_each(${list}))`,
                ),
              ),
            db.build.run(sql`insert into outcome_alignments (learning_outcome_id, content_type, content_id, mastery_score)
              select j.value ->> 'learning_outcome_id', 'AssessmentQuestionBank', ${id}, j.value ->> 'mastery_score' from json_each(${list}) j where true
              on conflict (learning_outcome_id, content_type, content_id) do update set mastery_score = excluded.mastery_score`),
          ],
          answer(rows.map((one) => cut(BankAlignment, { ...one, title: titleOf.get(one.learning_outcome_id) ?? '' }))),
        );
      },
    ),
  ];
});
