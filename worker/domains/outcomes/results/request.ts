// What a client asks of the results of a course, and what is refused (reference 04 §15.1).

import { bool, idField, listOf, optional, referenceTo, type Shape, text } from '@carrel/shared/wire/fields';
import type { CourseContext } from '../../../contexts/course';
import { readId } from '../../../contexts/references';
import type { Call } from '../../../http/call';
import { Problem } from '../../../http/problem';
import { seesAllGrades } from '../../assignments/submissions/policy';

export const resultFilterParams = {
  user_ids: optional(listOf(referenceTo('user'))),
  outcome_ids: optional(listOf(idField('learning_outcome'))),
  outcome_group_id: optional(idField('outcome_group')),
  section_id: optional(idField('section')),
  include_hidden: optional(bool),
};

export const rollupParams = {
  ...resultFilterParams,
  aggregate: optional(text),
  aggregate_stat: optional(text),
  exclude: optional(listOf(text)),
  sort_by: optional(text),
  sort_outcome_id: optional(idField('learning_outcome')),
  sort_order: optional(text),
  add_defaults: optional(bool),
  rating_percents: optional(bool),
  contributing_scores: optional(bool),
};
export type RollupGiven = Shape<typeof rollupParams>;

const refuse = (message: string, status = 400) => new Problem(status, { status: status === 403 ? 'forbidden' : 'bad_request', message });

export const resultIncludes = [
  'alignments',
  'outcomes',
  'outcomes.alignments',
  'outcome_groups',
  'outcome_links',
  'outcome_paths',
  'users',
  'assignments',
] as const;
export const rollupIncludes = [
  'outcomes',
  'outcomes.alignments',
  'outcome_groups',
  'outcome_links',
  'outcome_paths',
  'users',
  'courses',
  'assignments',
] as const;

/** @throws Problem 400 for an include that does not exist */
export function checkIncludes({ include }: Call['tree'], known: readonly string[]): void {
  const asked = [include ?? []].flat(2).map((one) => (typeof one === 'object' && one !== null ? '' : String(one)));
  const unknown = asked.find((one) => one !== '' && !known.includes(one));
  if (unknown !== undefined) throw refuse(`invalid include: ${unknown.slice(0, 100)}`);
}

/** Users by id and by SIS id. */
export interface WantedUsers {
  readonly ids: readonly number[];
  readonly sisIds: readonly string[];
}

export interface ResultFilter {
  /** All students when absent. */
  readonly users: WantedUsers | undefined;
  readonly outcome_ids: readonly number[] | undefined;
  readonly outcome_group_id: number | undefined;
  readonly section_id: number | undefined;
  /** Also results that are not posted, or that a rubric hides: for graders only. */
  readonly withHidden: boolean;
  /** Without results of quizzes and live assessments. */
  readonly onlyAssignments?: boolean | undefined;
  /** Also results of assignments that are not published any more. */
  readonly withUnpublished?: boolean;
}

const sisPrefix = 'sis_user_id:';

/**
 * The filter of a request: students and observers must name themselves, or those whom they observe.
 * @throws Problem 403 or 400
 */
export function filterOf(course: CourseContext, me: Pick<Call, 'me'>['me'], given: Shape<typeof resultFilterParams>): ResultFilter {
  const grades = seesAllGrades(course);
  const named = given.user_ids?.map((one) => (one === 'self' ? String(me.id) : one));
  const sisIds = named?.filter((one) => one.startsWith(sisPrefix)).map((one) => one.slice(sisPrefix.length)) ?? [];
  const ids = named?.filter((one) => !one.startsWith(sisPrefix)).map((one) => readId(one) ?? 0);
  const own = [me.id, ...course.observedIds];
  if (!grades && (!ids?.length || sisIds.length > 0 || ids.some((id) => !own.includes(id))))
    throw refuse('users not specified and no access to all grades', 403);
  if (given.outcome_ids?.length && given.outcome_group_id !== undefined)
    throw refuse("can't filter by both outcome_ids and outcome_group_id");
  if (named?.length && given.section_id !== undefined) throw refuse('cannot specify both user_ids and section_id');
  return {
    users: ids && named?.length ? { ids, sisIds } : undefined,
    outcome_ids: given.outcome_ids?.length ? [...new Set(given.outcome_ids)] : undefined,
    outcome_group_id: given.outcome_group_id,
    section_id: given.section_id,
    withHidden: grades && given.include_hidden === true,
  };
}

/** What the database knows of the filter. */
export interface FilterFacts {
  readonly outcomes: number;
  readonly groups: number;
  readonly sections: number;
  readonly users: number;
}

/** @throws Problem 400 for what is not of the course */
export function checkFilter(filter: ResultFilter, facts: FilterFacts): void {
  if (filter.outcome_ids && facts.outcomes < filter.outcome_ids.length)
    throw refuse("can only include id's of outcomes in the outcome context");
  if (filter.outcome_group_id !== undefined && facts.groups === 0)
    throw refuse('can only include an outcome group id in the outcome context');
  if (filter.section_id !== undefined && facts.sections === 0) throw refuse('invalid section id');
  const { users } = filter;
  if (users && facts.users < new Set(users.ids).size + new Set(users.sisIds).size)
    throw refuse("can only include id's of users in the outcome context");
}

export interface RollupRequest {
  readonly stat: 'mean' | 'median' | undefined;
  readonly sort: { readonly by: 'id' | 'student' } | { readonly by: 'outcome'; readonly outcome_id: number };
  readonly isDescending: boolean;
  readonly excluded: ReadonlySet<string>;
}

/** @throws Problem 400 for values that Canvas refuses */
export function rollupRequestOf(given: RollupGiven, include: ReadonlySet<string>): RollupRequest {
  const { aggregate, aggregate_stat = 'mean', sort_by, sort_outcome_id, sort_order } = given;
  if (aggregate !== undefined && aggregate !== 'course') throw refuse('invalid aggregate parameter value');
  if (aggregate_stat !== 'mean' && aggregate_stat !== 'median') throw refuse('invalid aggregate_stat parameter value');
  if (sort_by !== undefined && sort_by !== 'student' && sort_by !== 'outcome') throw refuse('invalid sort_by parameter value');
  if (sort_by === 'outcome' && sort_outcome_id === undefined) throw refuse('missing required sort_outcome_id parameter value');
  if (sort_order !== undefined && sort_order !== 'asc' && sort_order !== 'desc') throw refuse('invalid sort_order parameter value');
  if (include.has('courses') && aggregate !== 'course') throw refuse("can't include courses unless aggregate is 'course'");
  if (include.has('users') && aggregate !== undefined) throw refuse("can't include users unless aggregate is not set");
  return {
    stat: aggregate === 'course' ? aggregate_stat : undefined,
    sort: sort_by === 'outcome' ? { by: 'outcome', outcome_id: sort_outcome_id ?? 0 } : { by: sort_by === 'student' ? 'student' : 'id' },
    isDescending: sort_order === 'desc',
    excluded: new Set(given.exclude ?? []),
  };
}
