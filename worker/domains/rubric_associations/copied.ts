// How the use of rubrics is copied to another course: for the copies of its assignments, and as bookmarks.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { type CopiedKindFacts, copyOf, ofCourseContext, type Route } from '../../rules/copied_kind';
import { rubric_associations } from './table';

/** The copy of the rubric, or the rubric itself where an account of the target has it. */
const rubricThere = (route: Route): SQL =>
  sql`coalesce(${copyOf('rubric', sql`o.rubric_id`, route)}, (select r.id from rubrics r join courses target on target.id = ${shared('course', route.to)}
    join account_ancestors up on up.account_id = target.account_id and up.ancestor_id = r.context_id where r.id = o.rubric_id and r.context_type = 'Account'))`;

const subjectThere = (route: Route): SQL =>
  sql`(case o.association_type when 'Assignment' then ${copyOf('assignment', sql`o.association_id`, route)} else ${shared('course', route.to)} end)`;

/** An assignment of the target may have a rubric of its own, which stays. */
const isFree = (
  route: Route,
): SQL => sql`not exists (select 1 from rubric_associations x where x.workflow_state = 'active' and x.context_type = 'Course'
  and x.context_id = ${shared('course', route.to)} and x.purpose = o.purpose and x.association_type = o.association_type and x.association_id = ${subjectThere(route)}
  and (o.purpose <> 'bookmark' or x.rubric_id = ${rubricThere(route)})
  and not exists (select 1 from copied_items l where l.kind = 'rubric_association' and l.item_id = x.id and l.course_id = ${shared('course', route.to)} and l.source_id = o.id))`;

export const rubricAssociationCopied: CopiedKindFacts = {
  kind: 'rubric_association',
  table: rubric_associations,
  asset: 'rubric_association',
  title: 'title',
  there: (a, course) => sql`${ofCourseContext(a, course)} and ${sql.raw(`${a}.workflow_state = 'active'`)}`,
  planned: 'o.rubric_id, o.association_type, o.association_id',
  only: (route) => sql`${rubricThere(route)} is not null and ${subjectThere(route)} is not null and ${isFree(route)}`,
  kept: ['summary_data'],
  differing: (route) => ({
    context_id: shared('course', route.to),
    rubric_id: rubricThere(route),
    association_id: subjectThere(route),
    // Comments that graders have saved may quote students of the source.
    summary_data: sql`null`,
  }),
};
