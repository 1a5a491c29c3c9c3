// Proficiency scales of accounts and courses: every endpoint (reference 04 §16).

import { OutcomeProficiency } from '@carrel/shared/resources/outcome';
import { bool, listOf, number, object, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import { get, post } from '../../../http/endpoint';
import { type RowOf, rows } from '../../../http/listing';
import { invalid, problem } from '../../../http/problem';
import { one, oneOr, write } from '../../../http/reply';
import { serializer } from '../../../http/serializer';
import { outcomeContextOf } from '../context';
import { outcome_proficiencies } from '../table';
import { refusalOfScale, storedScale } from './scale';

const outcomeProficiency = serializer({
  resource: OutcomeProficiency,
  table: outcome_proficiencies,
  json: ({ ratings }: RowOf<typeof outcome_proficiencies>) => ({ ratings }),
});

const params = {
  ratings: optional(
    listOf(object({ description: optional(text), points: optional(number), mastery: optional(bool), color: optional(text) })),
  ),
};

type Placed = Pick<Call, 'course' | 'account'>;

const ownScale = (call: Placed): SQL => {
  const { type, id } = outcomeContextOf(call);
  return and(
    eq(outcome_proficiencies.context_type, type === 'Course' ? 'Course' : 'Account'),
    eq(outcome_proficiencies.context_id, id),
  ) as SQL;
};

/** The scale of the context, or that of the nearest account above it. */
function scaleThere(call: Placed): SQL {
  const { chain } = outcomeContextOf(call);
  return sql`${outcome_proficiencies.id} = (select near.id from (
    select p.id, 0 as distance from outcome_proficiencies p where p.id in (select ${outcome_proficiencies.id} from ${outcome_proficiencies} where ${ownScale(call)})
    union all select p.id, 1 + ${chain.length} - j.key from json_each(${JSON.stringify(chain)}) j join outcome_proficiencies p on p.context_type = 'Account' and p.context_id = j.value
    order by distance limit 1) near)`;
}

export const outcomeProficiencyRoutes = (['/accounts/:account_id', '/courses/:course_id'] as const).flatMap((place) => {
  const at = `${place}/outcome_proficiency` as const;
  return [
    get(at, { can: 'read', returns: outcomeProficiency, summary: 'Get the proficiency scale' }, (call) =>
      oneOr(rows(outcome_proficiencies, { where: scaleThere(call) }), () => problem(404, 'No proficiency scale is set here')),
    ),

    post(at, { can: 'manage_proficiency_scales', params, returns: outcomeProficiency, summary: 'Set the proficiency scale' }, (call) => {
      const { db, now, params: given } = call;
      const refusal = refusalOfScale(given.ratings ?? []);
      if (refusal) throw invalid('ratings', 'invalid', refusal, 422);
      const { type, id } = outcomeContextOf(call);
      const ratings = storedScale(given.ratings ?? []);
      return write(
        [
          db.build
            .insert(outcome_proficiencies)
            .values({ context_type: type === 'Course' ? 'Course' : 'Account', context_id: id, ratings, created_at: now, updated_at: now })
            .onConflictDoUpdate({
              target: [outcome_proficiencies.context_type, outcome_proficiencies.context_id],
              set: { ratings, updated_at: now },
            }),
        ],
        one(rows(outcome_proficiencies, { where: ownScale(call) })),
      );
    }),
  ];
});
