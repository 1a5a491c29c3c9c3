// The outcomes of a course in the feed: its groups, their links with the outcomes, and the caller's own results.

import { and, eq, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { rows } from '../../http/listing';
import { homeByContext, homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { outcomeGroup, outcomeLinkInFeed } from './json';
import { groupsIn, outcomeLinksIn } from './policy';
import { outcomeResult } from './results/json';
import { seenResults, studentSeats } from './results/policy';
import type { ResultFilter } from './results/request';
import { learning_outcome_groups, learning_outcome_links, outcome_results } from './table';

const ofCourse = (id: number) => ({ type: 'Course' as const, id, chain: [], name: '' });

const noFilter: ResultFilter = {
  users: undefined,
  outcome_ids: undefined,
  outcome_group_id: undefined,
  section_id: undefined,
  withHidden: false,
};

export const outcomeGroupSynced: SyncedKind = {
  kind: 'outcome_group',
  serializer: outcomeGroup,
  home: homeByContext('learning_outcome_groups'),
  listing: listedInCourse((course) => rows(learning_outcome_groups, { where: groupsIn(ofCourse(course.id)) })),
};

export const outcomeLinkSynced: SyncedKind = {
  kind: 'outcome_link',
  serializer: outcomeLinkInFeed,
  home: homeByContext('learning_outcome_links'),
  listing: listedInCourse((course) => rows(learning_outcome_links, { where: outcomeLinksIn(ofCourse(course.id)) })),
};

/** Graders see the results of their students in REST alone. */
export const outcomeResultSynced: SyncedKind = {
  kind: 'outcome_result',
  serializer: outcomeResult,
  home: homeByCourse('outcome_results'),
  listing: listedInCourse((course, { me }) =>
    rows(outcome_results, {
      where: and(
        eq(outcome_results.user_id, me.id),
        seenResults(course, noFilter),
        sql`exists (select 1 from enrollments e where e.user_id = ${shared('user', me.id)} and ${studentSeats(course, noFilter, new Set())})`,
      ),
    }),
  ),
};
