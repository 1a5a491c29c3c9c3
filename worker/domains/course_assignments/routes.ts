// Assignments: every endpoint, in the order of the API reference.

import { bool, idField, listOf, object, optional, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { idOf } from '../../contexts/references';
import { isInSectionLimit } from '../../contexts/section_limit';
import { contains, theIds } from '../../database/ids';
import { shared } from '../../database/shared';
import { withoutHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import { type ConditionalCall, refusedBy, textConditionOf } from '../../http/conditional';
import { del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, invalid, problem, unauthorized } from '../../http/problem';
import { judged, list, one, oneOr, type Reply, write } from '../../http/reply';
import { authoredPrecondition } from '../../rules/authored_content';
import { isAssignmentClosed } from '../../rules/grading_periods';
import { isNewQuiz } from '../../rules/new_quizzes';
import { onlyAssignmentGroup } from '../assignment_groups/policy';
import { assignment_groups } from '../assignment_groups/table';
import { checkAssignmentChange, datesAfter, readBefore } from '../assignments/change_rules';
import { movedDates, refuseClosedDates } from '../assignments/closed_periods';
import { assignmentIncludes } from '../assignments/includes';
import { type AssignmentGiven, assignmentFields, checkGroupCategory, valuesOf } from '../assignments/input';
import { changesModeration, checkModeration } from '../assignments/moderation_input';
import { contextZoneOf } from '../assignments/overrides/json';
import { readOverridePrecondition } from '../assignments/overrides/precondition';
import { replaceAssignmentOverrides } from '../assignments/overrides/whole_set';
import { conflicts } from '../assignments/overrides/writes';
import { presentAssignments, visibleAmong, visibleAssignments, visibleUnmoved } from '../assignments/policy';
import { assignments, authoredAssignmentColumns } from '../assignments/table';
import { createAssignment, deleteAssignment, newestAssignment, update } from '../assignments/writes';
import { assignmentWithTopic } from '../discussion_topics/topic_of_assignment';
import { makeQuizOf } from './assigned_quiz';
import { makeTopicOf } from './assigned_topic';
import { duplicateRoute } from './duplicate';
import {
  amongGiven,
  assignmentOrder,
  type Bucket,
  bucketByPosition,
  buckets,
  byDate,
  type ChosenConditions,
  inBucket,
  inGroups,
  orders,
} from './order';
import type { PositionContext } from './position_walk';

export const about = { title: 'Assignments', description: 'Assignments of a course: dates, points and submission types.' };

const all = '/courses/:course_id/assignments';
const single = `${all}/:assignment_id` as const;

const filters = {
  search_term: searchTerm,
  bucket: optional(text),
  assignment_ids: optional(listOf(idField('assignment'))),
  order_by: optional(text),
  override_assignment_dates: optional(bool),
  needs_grading_count_by_section: optional(bool),
  post_to_sis: optional(bool),
  new_quizzes: optional(bool),
};
type Filters = { [K in keyof typeof filters]?: unknown } & {
  search_term?: string;
  bucket?: string;
  assignment_ids?: number[];
  order_by?: string;
  post_to_sis?: boolean;
  new_quizzes?: boolean;
};

const which = (path: { assignment_id: string }): SQL => idOf('assignment', path.assignment_id);
const itself = (path: { assignment_id: string }): SQL => eq(assignments.id, sql`(${which(path)})`);
const isOneOf = <const W extends readonly string[]>(words: W, word: string): word is W[number] => words.includes(word);

/** @throws Problem 400 for an unknown bucket */
function bucketOf({ bucket }: Filters): Bucket | undefined {
  if (!bucket) return undefined;
  if (!isOneOf(buckets, bucket)) throw invalid('bucket', 'inclusion', `must be one of ${buckets.join(', ')}`);
  return bucket;
}

/** What decides the order: by position, the groups are walked; else assignments are. */
function arranged(by: (typeof orders)[number], bucket: Bucket | undefined, chosen: ChosenConditions, call: Call, here: PositionContext) {
  if (by === 'due_at') return byDate(here.course_id, chosen, bucket, call);
  if (by === 'name') return { where: and(chosen.all, bucket && inBucket(bucket, call)), ...assignmentOrder(by) };
  const walk = bucket && bucketByPosition(here, chosen, bucket, call);
  return (
    walk ?? { where: and(chosen.all, bucket && inBucket(bucket, call), inGroups(here.course_id, here.groupId)), ...assignmentOrder(by) }
  );
}

/** Assignments of a course or one of its groups, with the request's filters. */
function listed(given: Filters, call: Call, course: CourseContext, groupId?: number): Reply {
  const { search_term, order_by = 'position', assignment_ids: ids } = given;
  const bucket = bucketOf(given);
  if (ids && ids.length > 100) throw problem(400, 'Too many assignment_ids; at most 100 are allowed');
  const by = isOneOf(orders, order_by) ? order_by : 'position';
  const filter = and(
    search_term ? contains(assignments.name, search_term) : undefined,
    given.post_to_sis === undefined ? undefined : sql`coalesce(assignments.options ->> 'post_to_sis', 0) = ${given.post_to_sis ? 1 : 0}`,
    given.new_quizzes ? isNewQuiz : undefined,
    groupId === undefined || by === 'position' ? undefined : eq(assignments.assignment_group_id, groupId),
  );
  const chosen = { all: and(visibleAssignments(course, call), filter), unmoved: and(visibleUnmoved(course, call), filter) };
  const here = { course_id: course.id, groupId };
  const listing = rows(
    assignments,
    ids
      ? amongGiven(by, here, and(visibleAmong(course, call, theIds(ids)), filter, bucket && inBucket(bucket, call)), call)
      : arranged(by, bucket, chosen, call, here),
  );
  const { build } = call.db;
  if (ids) {
    const counted = build
      .select({ found: sql<number>`count(*)`.as('found') })
      .from(assignments)
      .where(visibleAmong(course, call, theIds(ids)));
    return judged(counted, (rows) => checkAll(rows[0]?.found, ids), list(listing));
  }
  if (groupId === undefined) return list(listing);
  const groups = build.select({ id: assignment_groups.id }).from(assignment_groups).where(onlyAssignmentGroup(course, groupId));
  return judged(groups, (rows) => found(rows[0]), list(listing));
}

function checkAll(count: number | undefined, ids: readonly number[]): void {
  if (count !== new Set(ids).size) throw problem(400, 'Invalid assignment_ids');
}

/** Answers about the path's user; a section-restricted caller gets an error for users of other sections. */
function ofThatPerson(call: Call & { readonly course: CourseContext }, then: Reply): Reply {
  const { course, user, me, db } = call;
  const reached = isInSectionLimit(course, sql`${user?.id ?? 0}`);
  if (!reached || user?.id === me.id || course.observedIds.includes(user?.id ?? 0)) return then;
  return judged(
    db.build.all<{ reached: number }>(sql`select ${reached} as reached`),
    ([person]) => {
      if (!person?.reached) throw unauthorized();
    },
    then,
  );
}

const seesThatPerson = ({ course, user, me }: Call) =>
  Boolean(course?.canRead && user && (user.id === me.id || course.observedIds.includes(user.id) || course.can('view_all_grades')));

const editable = { assignment: optional(object(assignmentFields)) };
/** The assignment as sent, with this host's URLs in its text made relative. */
const givenOf = (sent: AssignmentGiven = {}, { origin }: Pick<Call, 'origin'>): AssignmentGiven =>
  sent.description ? { ...sent, description: withoutHost(sent.description, origin) } : sent;
/** A conditional update: on a 412 the response contains the assignment as it is now. */
const preconditionOfAssignment = (call: Call & ConditionalCall & { readonly path: { readonly assignment_id: string } }) =>
  authoredPrecondition(call.db, textConditionOf(call), { table: assignments, columns: authoredAssignmentColumns, required: 'name' }, () =>
    refusedBy(call, assignmentWithTopic, rows(assignments, { where: itself(call.path) })),
  );

const taken = { ...conflicts, 'assignments.sis_assignment_id': () => invalid('sis_assignment_id', 'taken') };

export const assignmentRoutes = [
  get(
    all,
    { can: 'read', params: filters, include: assignmentIncludes, returns: [assignmentWithTopic], summary: 'List assignments' },
    (call) => listed(call.params, call, call.course),
  ),

  get(
    '/courses/:course_id/assignment_groups/:id/assignments',
    {
      can: 'read',
      params: filters,
      include: assignmentIncludes,
      returns: [assignmentWithTopic],
      summary: 'List the assignments of a group',
    },
    (call) => listed(call.params, call, call.course, call.id),
  ),

  get(
    '/users/:user_id/courses/:course_id/assignments',
    {
      can: seesThatPerson,
      params: filters,
      include: assignmentIncludes,
      returns: [assignmentWithTopic],
      summary: 'List assignments for a user',
    },
    (call) => ofThatPerson(call, listed(call.params, call, call.course)),
  ),

  get(
    single,
    {
      can: 'read',
      params: { all_dates: optional(bool) },
      include: assignmentIncludes,
      returns: assignmentWithTopic,
      summary: 'Get an assignment',
    },
    // An existing assignment that is not visible to the caller is a 401, not a 404 (reference 03 §1.1).
    ({ course, path, ...call }) =>
      judged(
        call.db.build
          .select({ id: assignments.id })
          .from(assignments)
          .where(and(eq(assignments.course_id, course.id), presentAssignments, itself(path))),
        (there) => void found(there[0]),
        oneOr(rows(assignments, { where: and(visibleAssignments(course, { ...call, path }), itself(path)) }), unauthorized),
      ),
  ),

  post(
    all,
    {
      can: 'manage_assignments_add',
      params: editable,
      include: assignmentIncludes,
      returns: assignmentWithTopic,
      status: 201,
      summary: 'Create an assignment',
    },
    async (call) => {
      const { course } = call;
      const given = givenOf(call.params.assignment, call);
      const sent = given.assignment_overrides ?? [];
      const set = given.group_category_id;
      const isModerated = changesModeration(given);
      const tool = given.external_tool_tag_attributes?.content_id;
      const isLookedUp = sent.length > 0 || set || given.annotatable_attachment_id || tool || isModerated;
      const ground = isLookedUp ? await readOverridePrecondition(call, course, theIds([]), sent, given, isModerated) : undefined;
      checkGroupCategory(given, ground);
      const values = valuesOf(given, course, contextZoneOf(call), undefined, ground);
      checkModeration(given, {}, ground?.instructors ?? []);
      const dates = {
        group_category_id: set ?? null,
        due_at: values.due_at ?? null,
        unlock_at: values.unlock_at ?? null,
        lock_at: values.lock_at ?? null,
      };
      return write(
        [
          ...createAssignment(call, values, given),
          ...makeTopicOf(call, { ...values, name: values.name ?? 'Assignment' }),
          ...makeQuizOf(call.db, newestAssignment, values.submission_types),
          ...(ground ? replaceAssignmentOverrides(call, sent, ground, 0, dates, newestAssignment) : []),
        ],
        one(rows(assignments, { where: sql`${assignments.id} = ${newestAssignment}` })),
        taken,
      );
    },
  ),

  put(
    single,
    {
      can: 'manage_assignments_edit',
      params: editable,
      include: assignmentIncludes,
      returns: assignmentWithTopic,
      conditional: 'item',
      summary: 'Update an assignment',
    },
    async (call) => {
      const { course } = call;
      const given = givenOf(call.params.assignment, call);
      const precondition = preconditionOfAssignment(call);
      const { before, history, ground } = await readBefore(call, course, which(call.path), given.assignment_overrides ?? [], given);
      await precondition.check(before);
      checkAssignmentChange(given, before, history, call);
      checkGroupCategory(given, ground);
      checkModeration(given, before.options, ground.instructors);
      const values = valuesOf(given, course, contextZoneOf(call), before, ground);
      refuseClosedDates(course, movedDates(before.due_at, values.due_at), call.now);
      const dates = datesAfter(values, before);
      const overrides =
        given.assignment_overrides &&
        replaceAssignmentOverrides(call, given.assignment_overrides, ground, before.id, dates, sql`${before.id}`);
      return write(
        [
          ...precondition.guard(before),
          ...update(call, before.id, values, given),
          ...makeQuizOf(call.db, sql`${before.id}`, values.submission_types),
          ...(overrides ?? []),
        ],
        one(rows(assignments, { where: eq(assignments.id, before.id) })),
        { ...taken, ...precondition.refusals },
      );
    },
  ),

  del(single, { can: 'manage_assignments_delete', returns: assignmentWithTopic, summary: 'Delete an assignment' }, async (call) => {
    const [there] = await call.db.perform([
      call.db.build
        .select({ id: assignments.id, is_closed: isAssignmentClosed(shared('course', call.course.id), call.now).as('is_closed') })
        .from(assignments)
        .where(and(visibleAssignments(call.course, call), itself(call.path))),
    ]);
    const { id, is_closed } = found(there[0]);
    if (is_closed && !call.course.isAdmin) throw unauthorized();
    return write(deleteAssignment(call, id), one(rows(assignments, { where: eq(assignments.id, id) })));
  }),

  duplicateRoute,
];
