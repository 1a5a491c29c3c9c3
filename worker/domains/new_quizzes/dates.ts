// The dates of New Quizzes after overrides (reference 04 §7.2).

import { QuizOverrideDates } from '@carrel/shared/resources/quiz';
import { and, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { ascending, type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { type EffectiveDates, effectiveDates } from '../../rules/assigned';
import { allDates } from '../assignments/includes';
import { assignmentOverride } from '../assignments/overrides/json';
import { concerning } from '../assignments/overrides/policy';
import { assignment_overrides, assignments } from '../assignments/table';
import { overridesSeen } from '../assignments/viewpoint';

type Row = RowOf<typeof assignments> & { readonly effective_dates: EffectiveDates };

/** Students get the dates that apply to them, staff all. */
export const newQuizDates = serializer({
  resource: QuizOverrideDates,
  table: assignments,
  columns: (call) => ({
    effective_dates: sql<EffectiveDates>`${effectiveDates(overridesSeen(call), call.now)}`
      .mapWith((text: string) => JSON.parse(text) as EffectiveDates)
      .as('effective_dates'),
  }),
  also: (ids, call) => ({
    overrides: call.course?.readsAsAdmin
      ? embed(
          assignmentOverride,
          rows(assignment_overrides, {
            where: and(isInSelect(assignment_overrides.assignment_id, ids), concerning(call.course, call)),
            order: ascending(assignment_overrides.id),
          }),
        )
      : undefined,
  }),
  json(row: Row, call, { overrides }) {
    if (!overrides) return { quiz_id: row.id, due_dates: [row.effective_dates] };
    const its = overrides.filter((one) => one.row.assignment_id === row.id);
    const { all_dates } = allDates(row, its, undefined, call);
    const { due_at, unlock_at, lock_at } = row;
    const dates = all_dates ?? [{ base: true, title: 'Everyone else', due_at, unlock_at, lock_at }];
    return { quiz_id: row.id, due_dates: dates, all_dates: dates };
  },
});
