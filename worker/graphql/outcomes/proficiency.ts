// The scale of proficiency that applies in a course or account.

import { sql } from 'drizzle-orm';
import { contextPath, type Graph, type GraphItem, type GraphPlace } from '../graph';

/** The id of the scale that applies at a place: its own, or that of the nearest account above. */
export async function proficiencyId({ place }: GraphItem, graph: Graph): Promise<number | null> {
  const course = place.course ?? 0;
  const account = place.account ?? null;
  const [row] = await graph.locate<{ id: number }[]>((build) =>
    build.all<{ id: number }>(sql`with recursive up(id, parent, distance) as (
      select a.id, a.parent_account_id, 1 from accounts a where a.id = coalesce(${account}, (select c.account_id from courses c where c.id = ${course}))
      union all select a.id, a.parent_account_id, up.distance + 1 from accounts a join up on a.id = up.parent)
      select p.id as id, 0 as distance from outcome_proficiencies p where p.context_type = 'Course' and p.context_id = ${course}
      union all select p.id, up.distance from up join outcome_proficiencies p on p.context_type = 'Account' and p.context_id = up.id
      order by distance limit 1`),
  );
  return row?.id ?? null;
}

export const proficiencyAt = (place: GraphPlace, graph: Graph) =>
  graph.one('OutcomeProficiency', `${contextPath(place)}/outcome_proficiency`, {}, place);
