// Submissions with their comments, assessments and attempts.

import { eq } from 'drizzle-orm';
import type { GraphQLResolveInfo } from 'graphql';
import { assignments } from '../../domains/assignments/table';
import { assignmentIn, mostUsers, studentIn } from '../../rules/submission_ids';
import { type Args, askedOf, type Graph, type GraphItem, type Resolvers } from '../graph';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { isTrue, key, objectArg } from '../values';
import { enrollmentsOf } from './enrollments';
import { submissionItem, submissionPath } from './submission_lists';
import { submissionSdl } from './submission_sdl';

const statusOf = (json: RestJson): string => {
  if (json.custom_grade_status_id) return 'custom';
  if (json.excused) return 'excused';
  if (json.late_policy_status === 'extended') return 'extended';
  if (json.missing) return 'missing';
  return json.late ? 'late' : 'none';
};

/** "submitted", "unsubmitted", "graded" … with what is special first, as the gradebook shows it. */
const wordedStatus = (json: RestJson): string => {
  const tag = statusOf(json);
  return tag === 'none' || tag === 'extended' || tag === 'custom' ? String(json.workflow_state) : tag;
};

const gradingStatusOf = (json: RestJson): string | null => {
  if (json.excused) return 'excused';
  if (json.workflow_state === 'pending_review') return 'needs_review';
  if (json.workflow_state === 'graded') return 'graded';
  return json.submitted_at ? 'needs_grading' : null;
};

const fileItems = (graph: Graph, given: unknown, { course }: GraphItem['place']) =>
  Array.isArray(given) ? given.map((json: RestJson) => graph.item('File', json, { course })) : [];

async function commentsOf(submission: GraphItem, args: Args, graph: Graph, info: GraphQLResolveInfo) {
  const given = await graph.value(submission, 'submission_comments');
  const is_read = !askedOf(info).has('read') || (await graph.value(submission, 'read_state')) !== 'unread';
  const { allComments, forAttempt } = objectArg(args.filter);
  const attempt = typeof forAttempt === 'number' ? forAttempt : undefined;
  const isShown = ({ attempt: of }: RestJson) => allComments === true || attempt === undefined || of === attempt || (of ?? 0) === 0;
  const all = ((given ?? []) as RestJson[]).filter(isShown);
  const sorted = args.sortOrder === 'desc' ? all.reverse() : all;
  return graph.complete(
    args,
    sorted.map((json) => {
      const isKnown = is_read || json.author_id === graph.call.me.id;
      return graph.item('SubmissionComment', { ...json, is_read: isKnown, submission_id: submission.json.id }, submission.place);
    }),
  );
}

async function attemptsOf(submission: GraphItem, args: Args, graph: Graph) {
  const { includeCurrentSubmission = true, states } = objectArg(args.filter);
  const all = ((await graph.value(submission, 'submission_history')) ?? []) as RestJson[];
  const wanted = (json: RestJson) =>
    (includeCurrentSubmission !== false || json.attempt !== submission.json.attempt) &&
    (!Array.isArray(states) || states.includes(json.workflow_state));
  const isDescending = objectArg(args.orderBy).direction === 'descending';
  const found = args.orderBy ? all.toSorted((one, other) => Number(one.attempt ?? 0) - Number(other.attempt ?? 0)) : all;
  return graph.complete(
    args,
    (isDescending ? found.reverse() : found)
      .filter(wanted)
      .map((json) => graph.item('SubmissionHistory', { ...json, root_id: submission.json.id }, submission.place)),
  );
}

async function assessmentsOf(submission: GraphItem, args: Args, graph: Graph) {
  const found = (await graph.value(submission, 'full_rubric_assessment')) as RestJson | null;
  const { forAllAttempts, forAttempt } = objectArg(args.filter);
  const isShown = forAllAttempts === true || typeof forAttempt !== 'number' || found?.artifact_attempt === forAttempt;
  return graph.complete(args, found && isShown ? [graph.item('RubricAssessment', found, submission.place)] : []);
}

/** The fields that a submission and each of its attempts have. */
const shared: Resolvers = {
  attempt: ({ json }) => json.attempt ?? 0,
  state: key('workflow_state'),
  status: ({ json }) => statusOf(json),
  submissionStatus: ({ json }) => wordedStatus(json),
  statusTag: ({ json }) => statusOf(json),
  deductedPoints: key('points_deducted'),
  gradingStatus: ({ json }) => gradingStatusOf(json),
  // REST leaves the score out while it is hidden from the caller.
  gradeHidden: ({ json }) => json.score === undefined,
  posted: ({ json }) => json.posted_at !== null && json.posted_at !== undefined,
  redoRequest: isTrue('redo_request'),
  gradedAnonymously: () => null,
  attachment: ({ json, place }, _args, graph) => fileItems(graph, json.attachments, place)[0] ?? null,
  attachments: ({ json, place }, _args, graph) => fileItems(graph, json.attachments, place),
  assignment: ({ json, place }, _args, graph, info) =>
    graph.reference('Assignment', json.assignment_id, info, () =>
      graph.one(
        'Assignment',
        `/courses/${place.course}/assignments/${json.assignment_id}`,
        {},
        { ...place, assignment: json.assignment_id as number },
      ),
    ),
  async user(submission, _args, graph, info) {
    const { json, place } = submission;
    const path = `/courses/${place.course}/users/${json.user_id}`;
    const whole = { path, query: { include: ['email', 'avatar_url'] } };
    if (json.user) return graph.item('User', json.user as RestJson, place, whole);
    if (json.user_id === undefined || json.user_id === null) return null;
    return graph.reference('User', json.user_id, info, async () => {
      const user = await graph.value(submission, 'user');
      return user ? graph.item('User', user as RestJson, place, whole) : null;
    });
  },
};

export const submissionObjects: TypeModule = {
  sdl: submissionSdl,
  resolvers: {
    Submission: {
      ...shared,
      groupId: ({ json }) => objectArg(json.group).id ?? null,
      hasPostableComments: isTrue('has_postable_comments'),
      async unreadCommentCount(submission, _args, graph) {
        if ((await graph.value(submission, 'read_state')) !== 'unread') return 0;
        const comments = ((await graph.value(submission, 'submission_comments')) ?? []) as RestJson[];
        return comments.filter(({ author_id }) => author_id !== graph.call.me.id).length;
      },
      async feedbackForCurrentAttempt(submission, _args, graph) {
        const comments = ((await graph.value(submission, 'submission_comments')) ?? []) as RestJson[];
        return comments.some(({ attempt }) => (attempt ?? 0) === (submission.json.attempt ?? 0));
      },
      commentsConnection: commentsOf,
      rubricAssessmentsConnection: assessmentsOf,
      submissionHistoriesConnection: attemptsOf,
      enrollmentsConnection: ({ json, place }, args, graph) =>
        json.user_id === undefined
          ? graph.complete(args, [])
          : enrollmentsOf(
              `/courses/${place.course}`,
              { ...args, filter: { userIds: [json.user_id], types: ['StudentEnrollment'] } },
              graph,
              place,
            ),
    },
    SubmissionHistory: shared,
    SubmissionComment: {
      htmlComment: key('comment'),
      attempt: ({ json }) => json.attempt ?? 0,
      author: ({ json, place }, _args, graph) => {
        const author = json.author as RestJson | null;
        if (!author || json.author_id === null) return null;
        const shown = { ...author, id: json.author_id, name: json.author_name, short_name: author.display_name };
        return graph.item('User', shown, place, { path: `/courses/${place.course}/users/${json.author_id}` });
      },
      attachments: ({ json, place }, _args, graph) => fileItems(graph, json.attachments, place),
      mediaCommentId: ({ json }) => objectArg(json.media_comment).media_id ?? null,
      assignment: ({ place }, _args, graph, info) =>
        graph.reference('Assignment', place.assignment, info, () =>
          graph.one('Assignment', `/courses/${place.course}/assignments/${place.assignment}`, {}, place),
        ),
      course: ({ place }, _args, graph, info) => graph.reference('Course', place.course, info),
    },
  },
  loaders: {
    // Ids of anonymous submissions are above those of others, and name no student.
    async Submission(id, graph) {
      if (id >= 2 ** 52 || id < mostUsers) return null;
      return submissionBetween(assignmentIn(id), studentIn(id), graph);
    },
  },
};

export const courseOfAssignment = async (assignment: number, graph: Graph): Promise<number | undefined> => {
  const [row] = await graph.locate<{ course: number }[]>((build) =>
    build.select({ course: assignments.course_id }).from(assignments).where(eq(assignments.id, assignment)),
  );
  return row?.course;
};

/** @param who an id of a user, or an anonymous id where `isAnonymous` */
export async function submissionBetween(
  assignment: number,
  who: number | string,
  graph: Graph,
  isAnonymous = false,
): Promise<GraphItem | null> {
  const course = await courseOfAssignment(assignment, graph);
  if (course === undefined) return null;
  const named = isAnonymous
    ? { assignment_id: assignment, anonymous_id: encodeURIComponent(who) }
    : { assignment_id: assignment, user_id: who };
  const answer = await graph.rest.read(submissionPath(named, course));
  return answer ? submissionItem(graph, answer.body as RestJson, course) : null;
}
