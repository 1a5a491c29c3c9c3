// Grading periods and their sets as clients see them.

import { GradingPeriod } from '@carrel/shared/resources/grading_period';
import { GradingPeriodSet } from '@carrel/shared/resources/grading_period_set';
import { and, eq, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { ascending, type RowOf, rows } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { isPeriodClosed } from '../../rules/grading_periods';
import { managesRow, managesTerms } from './policy';
import { grading_period_sets, grading_periods } from './table';

type PeriodWithColumns = RowOf<typeof grading_periods> & { readonly is_last: number };

const isLast = sql<number>`(not exists (select 1 from grading_periods later where later.grading_period_group_id = grading_periods.grading_period_group_id
  and later.workflow_state = 'active' and later.end_date > grading_periods.end_date))`;

export const gradingPeriod = serializer({
  resource: GradingPeriod,
  table: grading_periods,
  columns: () => ({ is_last: isLast.as('is_last') }),
  json: (row: PeriodWithColumns, call) => {
    const manages = managesRow(row, call);
    return {
      ...row,
      is_last: row.is_last === 1,
      is_closed: isPeriodClosed(row, call.now),
      permissions: { read: true, create: manages, update: manages, delete: manages },
    };
  },
});

type SetWithColumns = RowOf<typeof grading_period_sets> & { readonly terms: string };

const termsOfSet = sql<string>`(select json_group_array(terms.id) from terms where terms.grading_period_group_id = grading_period_sets.id and terms.workflow_state = 'active')`;

export const gradingPeriodSet = serializer({
  resource: GradingPeriodSet,
  table: grading_period_sets,
  columns: () => ({ terms: termsOfSet.as('terms') }),
  also: (ids) => ({
    periods: embed(
      gradingPeriod,
      rows(grading_periods, {
        where: and(isInSelect(grading_periods.grading_period_group_id, ids), eq(grading_periods.workflow_state, 'active')),
        order: ascending(grading_periods.start_date, grading_periods.id),
      }),
    ),
  }),
  json: (row: SetWithColumns, call, { periods }) => {
    const manages = managesTerms(call);
    return {
      ...row,
      enrollment_term_ids: JSON.parse(row.terms) as number[],
      grading_periods: periods.filter((one) => one.row.grading_period_group_id === row.id).map(({ json }) => json),
      permissions: { read: true, create: manages, update: manages, delete: manages },
    };
  },
});
