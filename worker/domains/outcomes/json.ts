// Outcomes, groups and links as clients see them.

import { Outcome, OutcomeGroup, OutcomeLink } from '@carrel/shared/resources/outcome';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { type RowOf, rows } from '../../http/listing';
import { embed, type Serializer, serializer } from '../../http/serializer';
import { editsOutcomes, outcomePathOf, outcomePlaceOf } from './context';
import { isAligned } from './policy';
import { ratingsWithDefaults } from './proficiency/scale';
import { learning_outcome_groups, learning_outcome_links, learning_outcomes } from './table';

export const outcomeStyles = ['abbrev', 'full'] as const;
type Style = (typeof outcomeStyles)[number];

interface OutcomeParams {
  readonly outcome_style?: Style;
  readonly outcome_group_style?: Style;
  readonly add_defaults?: boolean;
}
const paramsOf = ({ params }: Pick<Call, 'params'>) => params as OutcomeParams;

export type OutcomeRow = RowOf<typeof learning_outcomes> & { readonly assessed?: number; readonly updateable?: number };
export type OutcomeGroupRow = RowOf<typeof learning_outcome_groups>;

const outcomeColumns = (): Record<string, SQLWrapper> => ({
  assessed: sql`exists (select 1 from outcome_results r where r.learning_outcome_id = learning_outcomes.id)`.as('assessed'),
  updateable:
    sql`exists (select 1 from outcome_alignments al where al.learning_outcome_id = learning_outcomes.id and al.content_type = 'Rubric'
    and not exists (select 1 from rubric_assessments ra where ra.rubric_id = al.content_id))`.as('updateable'),
});

/** The fields of an outcome. @param isFull with its criterion */
export function outcomeFields(row: OutcomeRow, call: Pick<Call, 'me' | 'institution' | 'course' | 'params'>, isFull: boolean) {
  return {
    id: row.id,
    ...outcomePlaceOf(row),
    title: row.title,
    display_name: row.display_name,
    vendor_guid: row.vendor_guid,
    url: `/api/v1/outcomes/${row.id}`,
    can_edit: editsOutcomes(call, row),
    has_updateable_rubrics: row.updateable === 1,
    friendly_description: row.friendly_description,
    ...(isFull && {
      description: row.description,
      calculation_method: row.calculation_method,
      calculation_int: row.calculation_int ?? undefined,
      points_possible: row.points_possible,
      mastery_points: row.mastery_points,
      ratings: paramsOf(call).add_defaults ? ratingsWithDefaults(row.ratings, row.mastery_points) : row.ratings,
      assessed: row.assessed === 1,
    }),
  };
}

/** @param isFull whether it is returned with its criterion */
const outcomeSerializer = (isFull: (call: Call) => boolean): Serializer<OutcomeRow, typeof Outcome> =>
  serializer({
    resource: Outcome,
    table: learning_outcomes,
    columns: outcomeColumns,
    json: (row: OutcomeRow, call) => outcomeFields(row, call, isFull(call)),
  });

export const outcome = outcomeSerializer(() => true);
const linkedOutcome = outcomeSerializer((call) => paramsOf(call).outcome_style === 'full');

/** The fields of a group in abbreviated form. */
export const shortGroup = (row: OutcomeGroupRow, call: Parameters<typeof editsOutcomes>[0]) => {
  const url = `${outcomePathOf(row)}/outcome_groups/${row.id}`;
  return {
    id: row.id,
    title: row.title,
    vendor_guid: row.vendor_guid,
    url,
    subgroups_url: `${url}/subgroups`,
    outcomes_url: `${url}/outcomes`,
    can_edit: editsOutcomes(call, row),
  };
};

export const shortOutcomeGroup = serializer({
  resource: OutcomeGroup,
  table: learning_outcome_groups,
  json: (row: OutcomeGroupRow, call) => shortGroup(row, call),
});

const parentsOf = (ids: SQL) => sql`select g.parent_outcome_group_id from learning_outcome_groups g where g.id in (${ids})`;

/** @param isFull whether it is returned with its parent */
const groupSerializer = (isFull: (call: Call) => boolean): Serializer<OutcomeGroupRow, typeof OutcomeGroup> =>
  serializer({
    resource: OutcomeGroup,
    table: learning_outcome_groups,
    also: (ids, call) => ({
      parents: isFull(call)
        ? embed(shortOutcomeGroup, rows(learning_outcome_groups, { where: isInSelect(learning_outcome_groups.id, parentsOf(ids)) }))
        : undefined,
    }),
    json(row: OutcomeGroupRow, call, { parents }) {
      const short = shortGroup(row, call);
      if (!parents) return short;
      return {
        ...short,
        ...outcomePlaceOf(row),
        description: row.description,
        import_url: `${short.url}/import`,
        parent_outcome_group: parents.find((one) => one.row.id === row.parent_outcome_group_id)?.json,
      };
    },
  });

export const outcomeGroup = groupSerializer(() => true);
const linkedGroup = groupSerializer((call) => paramsOf(call).outcome_group_style === 'full');

export type LinkRow = RowOf<typeof learning_outcome_links> & {
  readonly is_last: number;
  readonly is_aligned: number;
  readonly is_assessed: number;
};

const ofLinks = (column: string, ids: SQL) => sql`select l.${sql.raw(column)} from learning_outcome_links l where l.id in (${ids})`;

interface LinkedParts {
  readonly outcome: Serializer<OutcomeRow, typeof Outcome>;
  readonly group: Serializer<OutcomeGroupRow, typeof OutcomeGroup>;
}

const linkSerializer = (parts: LinkedParts) =>
  serializer({
    resource: OutcomeLink,
    table: learning_outcome_links,
    columns: (): Record<string, SQLWrapper> => ({
      is_last:
        sql`not exists (select 1 from learning_outcome_links other where other.learning_outcome_id = learning_outcome_links.learning_outcome_id and other.id <> learning_outcome_links.id)`.as(
          'is_last',
        ),
      is_aligned: isAligned(sql.raw('learning_outcome_links.learning_outcome_id')).as('is_aligned'),
      is_assessed: sql`exists (select 1 from outcome_results r where r.learning_outcome_id = learning_outcome_links.learning_outcome_id
      and (learning_outcome_links.context_type <> 'Course' or r.course_id = learning_outcome_links.context_id))`.as('is_assessed'),
    }),
    also: (ids) => ({
      outcomes: embed(
        parts.outcome,
        rows(learning_outcomes, { where: isInSelect(learning_outcomes.id, ofLinks('learning_outcome_id', ids)) }),
      ),
      groups: embed(
        parts.group,
        rows(learning_outcome_groups, { where: isInSelect(learning_outcome_groups.id, ofLinks('learning_outcome_group_id', ids)) }),
      ),
    }),
    json(row: LinkRow, call, { outcomes, groups }) {
      return {
        ...outcomePlaceOf(row),
        url: `${outcomePathOf(row)}/outcome_groups/${row.learning_outcome_group_id}/outcomes/${row.learning_outcome_id}`,
        outcome_group: groups.find((one) => one.row.id === row.learning_outcome_group_id)?.json,
        outcome: outcomes.find((one) => one.row.id === row.learning_outcome_id)?.json,
        can_unlink: editsOutcomes(call, row) && !(row.is_last === 1 && row.is_aligned === 1),
        assessed: row.is_assessed === 1,
      };
    },
  });

export const outcomeLink = linkSerializer({ outcome: linkedOutcome, group: linkedGroup });

/** What assesses an outcome changes more often than the outcome; the feed has none of it. */
const outcomeInFeed: Serializer<OutcomeRow, typeof Outcome> = {
  ...outcome,
  json: (row, call, found) => ({ ...outcome.json(row, call, found), assessed: undefined, has_updateable_rubrics: undefined }),
};

const wholeLink = linkSerializer({ outcome: outcomeInFeed, group: shortOutcomeGroup });

/** In the feed, with the whole outcome. */
export const outcomeLinkInFeed: typeof wholeLink = {
  ...wholeLink,
  json: (row, call, found) => ({ ...wholeLink.json(row, call, found), can_unlink: undefined, assessed: undefined }),
};
