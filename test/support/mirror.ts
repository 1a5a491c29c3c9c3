// What a user sees in two ways: as the feed has reported it, and as REST returns it now. The two must never differ.

import type { Change } from '@carrel/shared/sync/protocol';
import type { Client } from './client';
import { follow } from './feed';
import type { Person } from './ground';
import type { ClientReader } from './table_writes';

type Resource = Record<string, unknown>;
export type MirrorView = Map<string, Resource>;

/** The key under which the view stores the course or group of an item. */
const home = ' home';
const homeOf = ({ course_id, group_id }: Change) => (group_id === undefined ? `course ${course_id}` : `group ${group_id}`);

/** Applies changes as the desk does: deleting a course or group deletes its items. */
export function apply(view: MirrorView, changes: readonly Change[]): void {
  for (const change of changes) {
    const key = `${change.kind} ${change.id}`;
    if (change.op === 'upsert') view.set(key, { ...change.resource, [home]: homeOf(change) });
    else {
      view.delete(key);
      if (change.kind === 'course' || change.kind === 'group')
        for (const [other, resource] of view) if (resource[home] === key) view.delete(other);
    }
  }
}

export function mirrorOf(client: Client) {
  const feed = follow(client);
  const view: MirrorView = new Map();
  return {
    view,
    choose: feed.choose,
    async catchUp(): Promise<readonly Change[]> {
      const changes = await feed.catchUp();
      apply(view, changes);
      return changes;
    },
  };
}

const everything = { per_page: 100 };

/** The lists of a course that the feed includes, by kind. */
const lists: readonly [kind: string, path: string, query: object, id: string][] = [
  ['assignment_group', 'assignment_groups', {}, 'id'],
  ['assignment', 'assignments', {}, 'id'],
  ['module', 'modules', { include: ['items', 'content_details'] }, 'id'],
  ['page', 'pages', { include: ['body'] }, 'page_id'],
  ['discussion_topic', 'discussion_topics', {}, 'id'],
  ['discussion_topic', 'discussion_topics', { only_announcements: true }, 'id'],
  ['folder', 'folders', {}, 'id'],
  ['file', 'files', {}, 'id'],
  ['quiz', 'quizzes', {}, 'id'],
];
const submissionsWith = ['submission_comments', 'rubric_assessment'];

async function fill(
  view: MirrorView,
  client: ClientReader,
  kind: string,
  path: string,
  query: object,
  id = 'id',
  keep: (one: Resource) => boolean = () => true,
) {
  const answer = await client.get(path, { ...everything, ...query });
  if (answer.status === 401 || answer.status === 404) return;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  for (const one of (answer.links.next ? await client.pages(path, { ...everything, ...query }) : answer.body) as Resource[])
    if (keep(one)) view.set(`${kind} ${one[id]}`, one);
}

/** The feed has no reviews whose student is anonymous to a grader. */
const namesSomeone = (review: Resource): boolean => 'user_id' in review || 'assessor_id' in review;

/** Peer reviews: those that a list returns, and those that the caller is asked for, as included in the assignment. */
async function fillReviews(view: MirrorView, client: ClientReader, course: number): Promise<void> {
  const here = [...view.values()].filter((one) => one.course_id === course && one.peer_reviews === true);
  for (const { id } of here) {
    const path = `/courses/${course}/assignments/${id}`;
    await fill(view, client, 'peer_review', `${path}/peer_reviews`, {}, 'id', namesSomeone);
    const { assessment_requests } = (await client.get(path, { include: ['assessment_requests'] })).body;
    for (const { user_name, available, ...review } of (assessment_requests ?? []) as Resource[]) {
      const key = `peer_review ${review.id}`;
      if (!view.has(key)) view.set(key, review);
    }
  }
}

/** What the feed has of a course that the caller has chosen for grading, as lists show it. */
async function fillGraded(view: MirrorView, client: ClientReader, course: number): Promise<void> {
  const submissions = { include: [...submissionsWith, 'submission_history'], student_ids: ['all'] };
  await fill(view, client, 'submission', `/courses/${course}/students/submissions`, submissions);
  const students = { type: ['StudentEnrollment'], state: ['active', 'invited', 'inactive', 'completed'], include: ['avatar_url'] };
  await fill(view, client, 'enrollment', `/courses/${course}/enrollments`, students);
}

/** The caller's quiz submissions, which are read by quiz. */
async function fillAttempts(view: MirrorView, client: ClientReader, course: number): Promise<void> {
  for (const one of [...view.entries()].filter(([key, { course_id }]) => key.startsWith('quiz ') && course_id === course)) {
    const { body, status } = await client.get(`/courses/${course}/quizzes/${one[1].id}/submission`);
    if (status === 401) continue;
    for (const own of (body as { quiz_submissions: Resource[] }).quiz_submissions) view.set(`quiz_submission ${own.id}`, own);
  }
}

/** The caller's own attempts at New Quizzes, of which the feed has the newest. */
async function fillSessions(view: MirrorView, client: ClientReader, course: number, person: Person): Promise<void> {
  for (const { id } of [...view.values()].filter((one) => one.course_id === course && one.is_quiz_lti_assignment === true)) {
    const { body, status } = await client.get(`/api/quiz/v1/courses/${course}/quizzes/${id}/sessions`, everything);
    if (status === 200) for (const one of body as Resource[]) if (one.user_id === person.id) view.set(`new_quiz_session ${one.id}`, one);
  }
}

/** Links of outcomes, which have no id in REST, and the caller's own results. */
async function fillOutcomes(view: MirrorView, client: ClientReader, course: number): Promise<void> {
  await fill(view, client, 'outcome_group', `/courses/${course}/outcome_groups`, {});
  const links = await client.get(`/courses/${course}/outcome_group_links`, { ...everything, outcome_style: 'full' });
  for (const { can_unlink, assessed, ...link } of (links.body ?? []) as Resource[]) {
    const { assessed: _, has_updateable_rubrics, ...outcome } = link.outcome as Resource;
    view.set(`outcome_link ${link.url}`, { ...link, outcome });
  }
  const own = await client.get(`/courses/${course}/outcome_results`, { ...everything, user_ids: ['self'] });
  if (own.status === 200) for (const one of own.body.outcome_results as Resource[]) view.set(`outcome_result ${one.id}`, one);
}

/** The open sessions of polls in the courses of the test. */
async function fillPolls(view: MirrorView, client: ClientReader, courses: readonly { id: number }[]): Promise<void> {
  const { body } = await client.get('/poll_sessions/opened', everything);
  for (const one of body.poll_sessions as Resource[])
    if (courses.some(({ id }) => id === one.course_id)) view.set(`poll_session ${one.id}`, one);
}

/** The lists of a group that the feed includes: those that a course has too, and its members. */
const ofGroups = [...lists.filter(([kind]) => /page|topic|folder|file/.test(kind)), ['group_membership', 'memberships', {}, 'id'] as const];

async function fillGroups(view: MirrorView, client: ClientReader): Promise<void> {
  const groups = await client.get('/users/self/groups', everything);
  for (const { id } of groups.body as { id: number }[]) {
    view.set(`group ${id}`, (await client.get(`/groups/${id}`, { include: ['favorites'] })).body);
    for (const [kind, path, query, key] of ofGroups) await fill(view, client, kind, `/groups/${id}/${path}`, query, key);
    await fill(view, client, 'calendar_event', '/calendar_events', { all_events: true, context_codes: [`group_${id}`] });
  }
}

const isNoSlot = (event: Resource): boolean => !String(event.context_code).startsWith('appointment_group_');

/**
 * @param courses the courses of the test; the user sees no others
 * @param graded those of which the user grades students, and has chosen their work
 */
export async function restView(
  client: ClientReader,
  person: Person,
  courses: readonly { id: number }[],
  graded: readonly number[] = [],
): Promise<MirrorView> {
  const view: MirrorView = new Map();
  view.set(`user ${person.id}`, (await client.get('/users/self')).body);
  await fill(view, client, 'planner_note', '/planner_notes', {});
  await fill(view, client, 'planner_override', '/planner/overrides', {});
  await fill(view, client, 'account_notification', '/accounts/1/users/self/account_notifications', {});
  await fill(view, client, 'bookmark', '/users/self/bookmarks', {});
  await fill(view, client, 'calendar_event', '/calendar_events', { all_events: true, context_codes: [`user_${person.id}`] });
  for (const scope of ['inbox', 'archived', 'sent']) await fill(view, client, 'conversation', '/conversations', { scope });
  await fill(view, client, 'folder', '/users/self/folders', {});
  await fill(view, client, 'file', '/users/self/files', {});
  await fillGroups(view, client);
  const enrollments = await client.get('/users/self/enrollments', { ...everything, state: ['current_future_and_restricted', 'completed'] });
  for (const { id } of courses) {
    const mine = (enrollments.body as Resource[]).filter((one) => one.course_id === id && one.user_id === person.id);
    const itself = await client.get(`/courses/${id}`, { include: ['term', 'syllabus_body', 'grading_periods'] });
    if (mine.length === 0 || itself.status !== 200 || itself.body.access_restricted_by_date) continue;
    view.set(`course ${id}`, itself.body);
    for (const one of mine) view.set(`enrollment ${one.id}`, one);
    for (const [kind, path, query, key] of lists)
      await fill(view, client, kind, `/courses/${id}/${path}`, query, key, (one) => one[key] !== null);
    // Of the caller and of observed students; graders get those of all students from REST alone.
    const student_ids = [person.id, ...mine.map((one) => one.associated_user_id).filter(Boolean)];
    const query = { include: submissionsWith, student_ids };
    await fill(view, client, 'submission', `/courses/${id}/students/submissions`, query, 'id', (one) => one.id !== null);
    if (graded.includes(id)) await fillGraded(view, client, id);
    await fillReviews(view, client, id);
    await fillAttempts(view, client, id);
    await fillSessions(view, client, id, person);
    await fillOutcomes(view, client, id);
    // Appointment slots are fetched when reserving: the feed includes only reserved ones.
    await fill(view, client, 'calendar_event', '/calendar_events', { all_events: true, context_codes: [`course_${id}`] }, 'id', isNoSlot);
  }
  await fillPolls(view, client, courses);
  return view;
}

/** Fields that only one side can have: the hash of a file, the user in a list of enrollments, the envelope of a response. */
const aside = new Set(['sha256', 'user', 'grades']);

/** REST returns an empty submission before there is one; the feed omits it. */
const isBlank = (key: string, { workflow_state, submission_comments, excused, late_policy_status }: Resource) =>
  key.startsWith('submission ') &&
  workflow_state === 'unsubmitted' &&
  (submission_comments as unknown[]).length === 0 &&
  !excused &&
  late_policy_status === null;

/** The lateness of a missing submission grows every second, so the feed omits it. */
const isGrowing = (field: string, { submitted_at }: Resource) => field === 'seconds_late' && submitted_at === null;

/** The differences: which items, and which of the fields that both have. */
export function differences(told: MirrorView, rest: MirrorView): string[] {
  const feed = new Map([...told].map(([key, one]) => [key.startsWith('outcome_link ') ? `outcome_link ${one.url}` : key, one]));
  const missing = [...rest]
    .filter(([key, resource]) => !feed.has(key) && !isBlank(key, resource))
    .map(([key]) => `the feed has not told ${key}`);
  const extra = [...feed.keys()].filter((key) => !rest.has(key)).map((key) => `the feed still tells ${key}`);
  const unlike = [...rest].flatMap(([key, resource]) => {
    const result = feed.get(key);
    if (!result) return [];
    return Object.keys(resource)
      .filter(
        (field) =>
          field in result &&
          !aside.has(field) &&
          !isGrowing(field, resource) &&
          JSON.stringify(result[field]) !== JSON.stringify(resource[field]),
      )
      .map(
        (field) =>
          `${key}.${field}: the feed says ${JSON.stringify(result[field])?.slice(0, 120)}, REST ${JSON.stringify(resource[field])?.slice(0, 120)}`,
      );
  });
  return [...missing, ...extra, ...unlike];
}
