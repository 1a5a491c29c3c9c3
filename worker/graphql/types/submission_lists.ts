// Lists of submissions: of an assignment, and of a course.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { GraphQLResolveInfo } from 'graphql';
import { nameKey } from '../../database/name_key';
import { type Args, askedOf, type Graph, type GraphItem } from '../graph';
import { legacyId } from '../ids';
import type { RestJson } from '../rest';
import { objectArg } from '../values';

const includesByField: Readonly<Record<string, readonly string[]>> = {
  user: ['user'],
  commentsConnection: ['submission_comments'],
  rubricAssessmentsConnection: ['full_rubric_assessment'],
  submissionHistoriesConnection: ['submission_history'],
  readState: ['read_state'],
  studentEnteredScore: ['student_entered_score'],
  feedbackForCurrentAttempt: ['submission_comments'],
  unreadCommentCount: ['read_state', 'submission_comments'],
};

/** What a list has to include for the fields that are asked of each submission. */
export const submissionIncludesFor = (asked: ReadonlySet<string>): string[] => [
  ...new Set([...asked].flatMap((name) => lookUp(includesByField, name) ?? [])),
];

const everything = [...new Set(Object.values(includesByField).flat())];

/** The path of a submission in REST: anonymous students have addresses of their own. */
export function submissionPath(json: RestJson, course: number | undefined): string {
  const assignment = `/courses/${course}/assignments/${json.assignment_id}`;
  return json.user_id === undefined
    ? `${assignment}/anonymous_submissions/${json.anonymous_id}`
    : `${assignment}/submissions/${json.user_id}`;
}

export const submissionItem = (graph: Graph, json: RestJson, course: number | undefined): GraphItem =>
  graph.item(
    'Submission',
    json,
    { course, assignment: json.assignment_id as number },
    { path: submissionPath(json, course), query: { include: everything } },
  );

const usualStates = ['submitted', 'pending_review', 'graded'];

const isAfter = (given: unknown, since: unknown) => since === undefined || since === null || String(given ?? '') > String(since);

const gradings: Readonly<Record<string, (json: RestJson) => boolean>> = {
  needs_grading: (json) => json.submitted_at !== null && json.workflow_state !== 'graded' && json.excused !== true,
  needs_review: (json) => json.workflow_state === 'pending_review',
  graded: (json) => json.workflow_state === 'graded' && json.excused !== true,
  excused: (json) => json.excused === true,
};

type Filter = Readonly<Record<string, unknown>>;

/** Whether a submission meets a filter, by what REST shows of it. */
function isWanted(json: RestJson, filter: Filter): boolean {
  const states = (filter.states as string[] | undefined) ?? [...usualStates, ...(filter.includeUnsubmitted ? ['unsubmitted'] : [])];
  const score = json.score as number | null | undefined;
  const due = objectArg(filter.dueBetween);
  const tests = [
    states.includes(String(json.workflow_state)),
    isAfter(json.graded_at, filter.gradedSince) && isAfter(json.submitted_at, filter.submittedSince),
    [json.graded_at, json.submitted_at, json.posted_at].some((time) => isAfter(time, filter.updatedSince)),
    typeof filter.scoredLessThan !== 'number' || (typeof score === 'number' && score < filter.scoredLessThan),
    typeof filter.scoredMoreThan !== 'number' || (typeof score === 'number' && score > filter.scoredMoreThan),
    typeof filter.late !== 'boolean' || json.late === filter.late,
    typeof filter.gradingStatus !== 'string' || lookUp(gradings, filter.gradingStatus)?.(json) === true,
    !Array.isArray(filter.enrollmentTypes) || filter.enrollmentTypes.includes('StudentEnrollment'),
    filter.anonymousId === undefined || filter.anonymousId === null || json.anonymous_id === filter.anonymousId,
    due.start === undefined || String(json.cached_due_date ?? '') >= String(due.start),
    due.end === undefined || (json.cached_due_date !== null && String(json.cached_due_date) <= String(due.end)),
  ];
  return tests.every(Boolean);
}

/** Submissions of one page in the order of the argument; REST lists them by student. */
function ordered(all: RestJson[], order: unknown): RestJson[] {
  const by = (Array.isArray(order) ? order : []) as { field?: string; direction?: string }[];
  const value = (json: RestJson, field: string | undefined) =>
    field === 'username'
      ? nameKey(String(objectArg(json.user).sortable_name ?? ''))
      : ((lookUp(json, field) ?? null) as string | number | null);
  const compared = (one: RestJson, other: RestJson) => {
    for (const { field, direction } of by) {
      const [a, b] = [value(one, field), value(other, field)];
      if (a === b) continue;
      const isBefore = a === null ? false : b === null ? true : a < b;
      return isBefore === (direction !== 'descending') ? -1 : 1;
    }
    return 0;
  };
  return by.length === 0 ? all : [...all].sort(compared);
}

const matchesName = (json: RestJson, term: unknown) =>
  typeof term !== 'string' ||
  term.length < 3 ||
  String(objectArg(json.user).name ?? '')
    .toLowerCase()
    .includes(term.toLowerCase());

/** The submissions of an assignment that the caller may see: graders all, others their own. */
export async function assignmentSubmissions(assignment: GraphItem, args: Args, graph: Graph, info: GraphQLResolveInfo) {
  const { course } = assignment.place;
  const filter = objectArg(args.filter);
  const user = legacyId(filter.userId, 'User');
  const path = `/courses/${course}/assignments/${assignment.json.id}/submissions`;
  const include = submissionIncludesFor(new Set([...askedOf(info), ...(filter.userSearch || args.orderBy ? ['user'] : [])]));
  const of = (json: RestJson) => submissionItem(graph, json, course);
  const keep = (json: RestJson) => isWanted(json, filter) && matchesName(json, filter.userSearch);
  const own = async (whom: number | string) => {
    const answer = await graph.rest.read(`${path}/${whom}`, { include });
    return answer ? [answer.body as RestJson] : [];
  };
  if (filter.representativesOnly === true) return groupSubmissions(assignment, args, graph, info);
  if (user !== undefined) return graph.complete(args, (await own(user)).filter(keep).map(of));
  if (filter.sectionIds || args.orderBy) {
    const sections = (filter.sectionIds as unknown[] | undefined)?.map((id) => legacyId(id, 'Section') ?? 0);
    const paths = sections ? sections.map((id) => `/sections/${id}/assignments/${assignment.json.id}/submissions`) : [path];
    const all = await Promise.all(paths.map((one) => graph.all(one, { include })));
    if (all.every((one) => one !== undefined)) return graph.complete(args, ordered(all.flat().filter(keep), args.orderBy).map(of));
  }
  const isAllowed = await graph.rest.ask(path, { include, per_page: 100 });
  if (isAllowed.status === 401 || isAllowed.status === 403) return graph.complete(args, (await own('self')).filter(keep).map(of));
  return graph.connection(args, path, { include }, of, keep);
}

/** One submission of each group. */
export async function groupSubmissions(assignment: GraphItem, args: Args, graph: Graph, info: GraphQLResolveInfo) {
  const { course } = assignment.place;
  const filter = objectArg(args.filter);
  if (assignment.json.group_category_id === null) return graph.complete(args, []);
  const path = `/courses/${course}/assignments/${assignment.json.id}/submissions`;
  const asked = new Set([...askedOf(info), ...(args.orderBy ? ['user'] : [])]);
  const query = { grouped: true, include: submissionIncludesFor(asked) };
  const of = (json: RestJson) => submissionItem(graph, json, course);
  if (!args.orderBy) return graph.connection(args, path, query, of, (json) => isWanted(json, filter));
  const all = ((await graph.all(path, query)) ?? []).filter((json) => isWanted(json, filter));
  return graph.complete(args, ordered(all, args.orderBy).map(of));
}

/** The submissions of a course: those of the students of the argument, or of all whom the caller may see. */
export async function courseSubmissions(courseItem: GraphItem, args: Args, graph: Graph, info: GraphQLResolveInfo) {
  const course = courseItem.json.id as number;
  const filter = objectArg(args.filter);
  const students = args.studentIds ? (args.studentIds as unknown[]).map((id) => legacyId(id, 'User') ?? 0) : ['all'];
  const [order] = (Array.isArray(args.orderBy) ? args.orderBy : []) as { field?: string; direction?: string }[];
  const query = {
    student_ids: students,
    include: submissionIncludesFor(askedOf(info)),
    ...(filter.gradedSince ? { graded_since: filter.gradedSince } : {}),
    ...(filter.submittedSince ? { submitted_since: filter.submittedSince } : {}),
    ...(order && { order: order.field === 'gradedAt' ? 'graded_at' : 'id', order_direction: order.direction ?? 'ascending' }),
  };
  const keep = (json: RestJson) => isWanted(json, filter);
  const of = (json: RestJson) => submissionItem(graph, json, course);
  if (Array.isArray(filter.sectionIds)) {
    const sections = filter.sectionIds.map((id) => legacyId(id, 'Section') ?? 0);
    const all = await Promise.all(sections.map((id) => graph.all(`/sections/${id}/students/submissions`, query)));
    return graph.complete(
      args,
      all
        .flatMap((one) => one ?? [])
        .filter(keep)
        .map(of),
    );
  }
  return graph.connection(args, `/courses/${course}/students/submissions`, query, of, keep);
}
