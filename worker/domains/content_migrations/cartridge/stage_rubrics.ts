// Stages rubrics, and their use by assignments.

import { sql } from 'drizzle-orm';
import type { AssignmentSettings } from '../../../cartridge/settings/assignment';
import type { Packaged } from '../../../cartridge/settings/shape';
import type { rubricsShape } from '../../../cartridge/settings/shapes';
import type { Criterion } from '../../rubrics/table';
import { shortName } from './stage_settings';
import { partsOfRows, type Staging } from './staging';

type PackagedRubric = NonNullable<Packaged<typeof rubricsShape>['rubrics']>[number];
type PackagedCriterion = NonNullable<PackagedRubric['criteria']>[number];

const mostCriteria = 200;

/** Pure. @param outcome the id of an outcome by its identifier */
export function criterionOf(given: PackagedCriterion, at: number, outcome: (identifier: string) => number | undefined): Criterion {
  const ref = given.learning_outcome_identifierref;
  const learning_outcome_id = ref ? outcome(ref) : undefined;
  const ratings = (given.ratings ?? [])
    .map((one, nth) => ({
      id: one.id?.slice(0, 100) || `rating_${at}_${nth}`,
      description: shortName(one.description, ''),
      long_description: one.long_description ?? '',
      points: one.points ?? 0,
    }))
    .sort((a, b) => b.points - a.points);
  return {
    id: given.criterion_id?.slice(0, 100) || `criterion_${at}`,
    description: shortName(given.description, 'Criterion'),
    long_description: given.long_description ?? '',
    points: Math.max(0, given.points ?? ratings[0]?.points ?? 0),
    criterion_use_range: given.criterion_use_range === true,
    ratings,
    ...(learning_outcome_id === undefined ? {} : { learning_outcome_id }),
    ...(given.mastery_points == null ? {} : { mastery_points: given.mastery_points }),
    ...(given.ignore_for_scoring == null ? {} : { ignore_for_scoring: given.ignore_for_scoring }),
  };
}

export function stageRubrics(
  staging: Staging,
  { rubrics = [] }: Packaged<typeof rubricsShape>,
  outcomes: ReadonlyMap<string, number>,
): void {
  const { course, work } = staging;
  const rows = rubrics.map(({ identifier = '', criteria = [], ...one }) => {
    if (criteria.some((each) => each.learning_outcome_external_identifier))
      staging.issue('warning', `The rubric ${shortName(one.title, identifier)} assesses outcomes that the package does not contain.`);
    const known = criteria.slice(0, mostCriteria).map((each, at) => criterionOf(each, at, (ref) => outcomes.get(ref)));
    return {
      identifier,
      title: shortName(one.title, 'Rubric'),
      criteria: known,
      points_possible: Math.max(0, one.points_possible ?? known.reduce((sum, { points }) => sum + points, 0)),
      free_form_criterion_comments: one.free_form_criterion_comments === true,
      hide_score_total: one.hide_score_total ?? null,
      hide_points: one.hide_points === true,
      rating_order: one.rating_order === 'ascending' ? 'ascending' : 'descending',
    };
  });
  const here = { context_type: sql`'Course'`, context_id: sql`${course}` };
  staging.insert(
    'rubrics',
    {
      ...here,
      user_id: sql`${work.it.user_id}`,
      title: true,
      criteria: true,
      points_possible: true,
      free_form_criterion_comments: true,
      hide_score_total: true,
      hide_points: true,
      rating_order: true,
      workflow_state: sql`'active'`,
    },
    rows,
    'rubric',
  );
  // A bookmark lists the rubric in the course.
  staging.insert(
    'rubric_associations',
    {
      ...here,
      rubric_id: staging.ref('rubric', 'identifier'),
      association_type: sql`'Course'`,
      association_id: sql`${course}`,
      title: true,
      purpose: sql`'bookmark'`,
      bookmarked: sql`1`,
      workflow_state: sql`'active'`,
    },
    rows.map(({ identifier, title }) => ({ identifier, title })),
  );
}

/** The rubrics of assignments that are staged in this or an earlier step. */
export function stageRubricUse(staging: Staging, given: readonly AssignmentSettings[]): void {
  const rows = given.flatMap((one) =>
    one.rubric_identifierref
      ? [
          {
            assignment: one.identifier,
            rubric: one.rubric_identifierref,
            title: shortName(one.title, ''),
            use_for_grading: one.rubric_use_for_grading === true,
            hide_points: one.rubric_hide_points === true,
            hide_outcome_results: one.rubric_hide_outcome_results === true,
            hide_score_total: one.rubric_hide_score_total === true,
          },
        ]
      : [],
  );
  const member = (name: string) => sql.raw(`j.value ->> '${name}'`);
  for (const some of partsOfRows(rows))
    staging.run(
      sql`insert into rubric_associations (rubric_id, association_type, association_id, context_type, context_id, title, purpose, use_for_grading, hide_points, hide_outcome_results, hide_score_total, bookmarked, workflow_state, created_at, updated_at)
        select s.rubric, 'Assignment', s.assignment, 'Course', ${staging.course}, s.title, 'grading', s.use_for_grading, s.hide_points, s.hide_outcome_results, s.hide_score_total, 0, 'active', ${staging.now}, ${staging.now}
        from (select ${staging.ref('rubric', 'rubric')} as rubric, ${staging.ref('assignment', 'assignment')} as assignment, ${member('title')} as title, ${member('use_for_grading')} as use_for_grading,
          ${member('hide_points')} as hide_points, ${member('hide_outcome_results')} as hide_outcome_results, ${member('hide_score_total')} as hide_score_total from json_each(${JSON.stringify(some)}) j) s
        where s.rubric is not null and s.assignment is not null on conflict do nothing`,
    );
}
