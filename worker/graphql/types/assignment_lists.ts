// Lists of assignments, with the grading period that applies where none is named.

import type { GraphQLResolveInfo } from 'graphql';
import { type Args, askedOf, type Graph, type GraphItem, type GraphPlace } from '../graph';
import { legacyId } from '../ids';
import type { RestJson } from '../rest';
import { objectArg } from '../values';
import { periodOfToday } from './enrollments';

/** What a list has to include for the fields that are asked of each assignment. */
export function assignmentIncludesFor(asked: ReadonlySet<string>): { include?: string[] } {
  const include = [
    ...(asked.has('hasMultipleDueDates') ? ['all_dates'] : []),
    ...(asked.has('checkpoints') ? ['checkpoints'] : []),
    ...(asked.has('scoreStatistic') ? ['score_statistics', 'submission'] : []),
    ...(asked.has('gradesPublished') ? ['grades_published'] : []),
    ...(asked.has('modules') ? ['module_ids'] : []),
    ...(asked.has('assessmentRequestsForCurrentUser') ? ['assessment_requests'] : []),
  ];
  return include.length > 0 ? { include } : {};
}

export const assignmentItem = (graph: Graph, json: RestJson): GraphItem => {
  const course = json.course_id as number;
  return graph.item('Assignment', json, { course, assignment: json.id as number });
};

/** The period that a filter names: undefined for all. Without the key, the current period applies; null means all. */
async function periodOf(filter: Readonly<Record<string, unknown>>, course: number, graph: Graph): Promise<unknown> {
  if (Object.hasOwn(filter, 'gradingPeriodId'))
    return filter.gradingPeriodId === null ? undefined : legacyId(filter.gradingPeriodId, 'GradingPeriod');
  return (await periodOfToday(course, graph))?.id;
}

/** The assignments of a course or of one of its groups. */
export async function assignmentsOf(place: GraphPlace, args: Args, graph: Graph, info: GraphQLResolveInfo, group?: unknown) {
  const filter = objectArg(args.filter);
  const course = place.course as number;
  const include = assignmentIncludesFor(askedOf(info));
  const period = await periodOf(filter, course, graph);
  const user = legacyId(filter.userId, 'User');
  const path =
    user !== undefined
      ? `/users/${user}/courses/${course}/assignments`
      : `/courses/${course}/${group === undefined ? '' : `assignment_groups/${group}/`}assignments`;
  const query = { ...include, ...(filter.searchTerm ? { search_term: filter.searchTerm } : {}) };
  const inGroup = user !== undefined && group !== undefined ? (json: RestJson) => json.assignment_group_id === group : undefined;
  if (period === undefined) return graph.connection(args, path, query, (json) => assignmentItem(graph, json), inGroup);
  const groups = await graph.all(`/courses/${course}/assignment_groups`, { include: ['assignments'], grading_period_id: period });
  const within = new Set((groups ?? []).flatMap(({ assignments }) => ((assignments ?? []) as RestJson[]).map(({ id }) => id)));
  return graph.connection(
    args,
    path,
    query,
    (json) => assignmentItem(graph, json),
    (json) => within.has(json.id) && (inGroup?.(json) ?? true),
  );
}
