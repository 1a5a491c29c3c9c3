// Outcomes and rubrics as they are in cartridges, from their rows. Pure.

import { packageKey } from '../../../cartridge/keys';
import type { PackagedOutcome, PackagedOutcomeGroup, PackagedOutcomes } from '../../../cartridge/settings/outcomes';
import type { Packaged } from '../../../cartridge/settings/shape';
import type { rubricsShape } from '../../../cartridge/settings/shapes';
import type { learning_outcome_groups, learning_outcome_links, learning_outcomes, outcome_alignments } from '../../outcomes/table';
import type { rubrics } from '../../rubrics/table';

type OutcomeRow = typeof learning_outcomes.$inferSelect;
type GroupRow = typeof learning_outcome_groups.$inferSelect;
type LinkRow = Pick<typeof learning_outcome_links.$inferSelect, 'learning_outcome_group_id' | 'learning_outcome_id'>;
type AlignmentRow = typeof outcome_alignments.$inferSelect;
type RubricRow = typeof rubrics.$inferSelect;

interface OutcomesRead {
  readonly outcomes: readonly OutcomeRow[];
  readonly outcomeGroups: readonly GroupRow[];
  readonly links: readonly LinkRow[];
  /** With the question banks of the package. */
  readonly alignments: readonly AlignmentRow[];
}

const packagedOutcome = (
  source: string,
  row: OutcomeRow,
  alignments: readonly AlignmentRow[],
  repack: (html: string | null) => string,
): PackagedOutcome => ({
  identifier: packageKey(source, 'learning_outcome', row.id),
  title: row.title,
  description: repack(row.description),
  ...(row.display_name === null ? {} : { display_name: row.display_name }),
  ...(row.friendly_description === null ? {} : { friendly_description: row.friendly_description }),
  calculation_method: row.calculation_method,
  calculation_int: row.calculation_int,
  ...(row.vendor_guid === null ? {} : { vendor_guid: row.vendor_guid }),
  points_possible: row.points_possible,
  mastery_points: row.mastery_points,
  ratings: row.ratings.map(({ description, points }) => ({ description, points })),
  alignments: alignments
    .filter(({ learning_outcome_id }) => learning_outcome_id === row.id)
    .map(({ content_id, mastery_score }, at) => ({
      content_type: 'AssessmentQuestionBank',
      content_id: packageKey(source, 'question_bank', content_id),
      mastery_type: 'none',
      ...(mastery_score === null ? {} : { mastery_score }),
      position: at + 1,
    })),
});

/** An outcome that no chosen group has is at the top. */
export function packagedOutcomes(
  source: string,
  { outcomes, outcomeGroups: groups, links, alignments }: OutcomesRead,
  repack: (html: string | null) => string,
): PackagedOutcomes {
  const inner = groups.filter(({ parent_outcome_group_id }) => parent_outcome_group_id !== null);
  const known = new Set(inner.map(({ id }) => id));
  const placed = new Set(links.filter((link) => known.has(link.learning_outcome_group_id)).map((link) => link.learning_outcome_id));
  const within = (id: number): PackagedOutcomeGroup[] =>
    inner
      .filter(({ parent_outcome_group_id: parent }) => parent === id)
      .map((group) => ({
        identifier: packageKey(source, 'outcome_group', group.id),
        title: group.title,
        description: repack(group.description),
        ...(group.vendor_guid === null ? {} : { vendor_guid: group.vendor_guid }),
        outcomes: outcomes
          .filter((one) => links.some((link) => link.learning_outcome_group_id === group.id && link.learning_outcome_id === one.id))
          .map((one) => packagedOutcome(source, one, alignments, repack)),
        groups: within(group.id),
      }));
  // A group whose parent is not chosen is at the top, too.
  const tops = new Set(inner.flatMap(({ parent_outcome_group_id: parent }) => (parent !== null && !known.has(parent) ? [parent] : [])));
  return {
    outcomes: outcomes.filter(({ id }) => !placed.has(id)).map((one) => packagedOutcome(source, one, alignments, repack)),
    groups: [...tops].flatMap(within),
  };
}

/** @param ofCourse the outcomes in the package; those of accounts are not */
export const packagedRubrics = (
  source: string,
  rows: readonly RubricRow[],
  ofCourse: ReadonlySet<number>,
): NonNullable<Packaged<typeof rubricsShape>['rubrics']> =>
  rows.map((row) => ({
    identifier: packageKey(source, 'rubric', row.id),
    read_only: false,
    title: row.title,
    points_possible: row.points_possible,
    ...(row.hide_score_total === null ? {} : { hide_score_total: row.hide_score_total }),
    hide_points: row.hide_points,
    rating_order: row.rating_order,
    free_form_criterion_comments: row.free_form_criterion_comments,
    criteria: row.criteria.map(({ learning_outcome_id: outcome, ...one }) => ({
      criterion_id: one.id,
      points: one.points,
      ...(one.mastery_points == null ? {} : { mastery_points: one.mastery_points }),
      ...(one.ignore_for_scoring === undefined ? {} : { ignore_for_scoring: one.ignore_for_scoring }),
      criterion_use_range: one.criterion_use_range,
      description: one.description,
      long_description: one.long_description,
      ...(outcome == null
        ? {}
        : ofCourse.has(outcome)
          ? { learning_outcome_identifierref: packageKey(source, 'learning_outcome', outcome) }
          : { learning_outcome_external_identifier: String(outcome) }),
      ratings: one.ratings.map(({ id, description, long_description, points }) => ({
        description,
        points,
        criterion_id: one.id,
        long_description,
        id,
      })),
    })),
  }));
