// Planner items as clients see them: the plannable's data and the user's progress with it.

import { PlannerItem } from '@carrel/shared/resources/planner_item';
import type { Json } from '@carrel/shared/resources/resource';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { isHidden } from '../../rules/posted';
import { type AskedReview, reviewedPath } from '../assignments/submissions/asked_review';
import { lateness } from '../assignments/submissions/lateness';
import { pictureAddress } from '../courses/pictures';
import { avatarOf } from '../users/display';
import type { PlannerItemRow } from './items';
import { type PlannerOverrideWithColumns, plannerOverrideJson } from './overrides_json';
import { planner_notes } from './table';

interface Work {
  readonly submission_types: string;
  readonly post_manually: number;
  readonly is_new_quiz: number;
  readonly submission: {
    readonly submission_type: string | null;
    readonly submitted_at: string | null;
    readonly excused: number;
    readonly late_policy_status: string | null;
    readonly seconds_late_override: number | null;
    readonly grader_id: number | null;
    readonly graded_at: string | null;
    readonly posted_at: string | null;
    readonly score: number | null;
    readonly workflow_state: string;
    readonly graded_attempt: number | null;
    readonly attempt: number | null;
    readonly redo_requested_at: string | null;
  } | null;
}

const nothing = {
  submission_type: null,
  submitted_at: null,
  excused: 0,
  late_policy_status: null,
  seconds_late_override: null,
  grader_id: null,
  graded_at: null,
  posted_at: null,
  score: null,
  workflow_state: 'unsubmitted',
  graded_attempt: null,
  attempt: null,
  redo_requested_at: null,
};

function submissionsJson(row: PlannerItemRow, call: Call) {
  if (row.work === null) return { json: false as const, isSubmitted: false };
  const work = JSON.parse(row.work) as Work;
  const one = work.submission ?? nothing;
  const isHeldBack = isHidden(one, work.post_manually === 1);
  const excused = one.excused === 1;
  const { late, missing } = lateness(
    { ...one, excused },
    { due_at: row.at, submission_types: JSON.parse(work.submission_types) as string[], is_new_quiz: work.is_new_quiz === 1 },
    call.now,
  );
  const comment = row.comment === null || isHeldBack ? undefined : (JSON.parse(row.comment) as Record<string, string | null>);
  const submitted = one.submitted_at !== null;
  const isGraded = one.workflow_state === 'graded' && one.score !== null && one.graded_attempt === one.attempt;
  return {
    isSubmitted: submitted,
    json: {
      submitted,
      excused,
      graded: one.workflow_state === 'graded' && !isHeldBack,
      late,
      missing,
      needs_grading: submitted && !excused && !isGraded,
      has_feedback: comment !== undefined,
      redo_request: one.redo_requested_at !== null,
      posted_at: one.posted_at,
      ...(comment && {
        feedback: {
          comment: comment.comment ?? '',
          is_media: false,
          ...(comment.author_name && { author_name: comment.author_name }),
          author_avatar_url: avatarOf({ avatar_url: comment.avatar_url ?? null }, call.origin),
        },
      }),
    },
  };
}

const paths: Record<string, (row: PlannerItemRow, extra: Record<string, unknown>) => string> = {
  discussion_topic: (row) => `/discussion_topics/${row.id}`,
  announcement: (row) => `/discussion_topics/${row.id}`,
  wiki_page: (_, extra) => `/pages/${extra.url}`,
  quiz: (row) => `/quizzes/${row.id}`,
};

/** The submission to review; observers get the assignment, because only the reviewer sees whose submission it is. */
const reviewPath = (asked: AskedReview, subject: number, call: Call): string =>
  subject === call.me.id ? reviewedPath(asked, call) : `/assignments/${asked.assignment_id}`;

/** The group of an item. */
const groupOf = (extra: Record<string, unknown>): string | undefined => /^group_(\d+)$/.exec(String(extra.context_code))?.[1];

function addressOf(
  row: PlannerItemRow,
  extra: Record<string, unknown>,
  subject: number,
  isSubmitted: boolean,
  call: Call,
): string | undefined {
  if (row.type === 'planner_note') return undefined;
  if (row.type === 'calendar_event') return `${call.origin}/calendar?event_id=${row.id}&include_contexts=${extra.context_code}`;
  const group = groupOf(extra);
  const course = group === undefined ? `/courses/${row.course_id}` : `/groups/${group}`;
  if (row.type === 'assessment_request') return `${course}${reviewPath(extra.asked as AskedReview, subject, call)}`;
  if (row.type !== 'assignment') return `${course}${lookUp(paths, row.type)?.(row, extra) ?? ''}`;
  return `${course}/assignments/${row.id}${isSubmitted ? `/submissions/${subject}` : ''}`;
}

/** The user has unread feedback, or there are unread entries. */
const hasNews = ({ has_feedback, topic_id, is_topic_read, unread_count }: PlannerItemRow): boolean =>
  has_feedback === 1 || (topic_id !== null && (is_topic_read !== 1 || unread_count > 0));

/** The fields specific to the type. */
function plannable(row: PlannerItemRow, extra: Record<string, unknown>): Record<string, unknown> {
  const { id, title, created_at, updated_at } = row;
  const always = { id, title, created_at, updated_at };
  const reading = { unread_count: row.unread_count, read_state: row.is_topic_read === 1 ? 'read' : 'unread' };
  const { points_possible = null, assignment_id = null, context_code: _, ...rest } = extra;
  switch (row.type) {
    case 'assignment':
      return { ...always, points_possible, due_at: row.at };
    case 'quiz':
      return { ...always, assignment_id, points_possible, due_at: row.at };
    case 'discussion_topic':
      return { ...always, ...rest, ...reading, ...(assignment_id !== null && { assignment_id, points_possible, due_at: row.at }) };
    case 'announcement':
      return { ...always, ...reading };
    case 'assessment_request':
      return { ...always, todo_date: rest.todo_date, workflow_state: rest.workflow_state };
    case 'calendar_event':
      return { ...always, ...rest, all_day: rest.all_day === 1 };
    default:
      return { ...always, ...rest };
  }
}

/** The context of an item: its course, or what its context code names; a calendar event without either is the user's own. */
function contextFields(row: PlannerItemRow, extra: Record<string, unknown>, subject: number, { me, user, origin }: Call) {
  if (row.course_id !== null)
    return {
      context_type: 'Course',
      course_id: row.course_id,
      context_name: row.context_name ?? '',
      context_image: pictureAddress(row.context_image, origin),
    };
  const [, kind, id] = /^(account|group)_(\d+)$/.exec(String(extra.context_code)) ?? [];
  const context_name = row.account_name ?? '';
  if (kind === 'account') return { context_type: 'Account', account_id: Number(id), context_name };
  if (kind === 'group') return { context_type: 'Group', group_id: Number(id), context_name };
  if (row.type !== 'calendar_event') return {};
  return { context_type: 'User', user_id: subject, context_name: subject === me.id ? me.user.name : (user?.name ?? '') };
}

export function itemJson(row: PlannerItemRow, subject: number, call: Call): Json<typeof PlannerItem> {
  const extra = JSON.parse(row.extra) as Record<string, unknown>;
  const { json: submissions, isSubmitted } = submissionsJson(row, call);
  const override = row.override === null ? null : (JSON.parse(row.override) as Record<string, unknown>);
  return {
    ...contextFields(row, extra, subject, call),
    plannable_id: row.id,
    plannable_type: row.type,
    plannable_date: row.at,
    plannable: plannable(row, extra),
    planner_override: override && {
      ...plannerOverrideJson({
        ...(override as PlannerOverrideWithColumns),
        marked_complete: override.marked_complete === 1,
        dismissed: override.dismissed === 1,
        plannable_state: 'active',
      }),
    },
    submissions,
    new_activity: hasNews(row),
    html_url: addressOf(row, extra, subject, isSubmitted, call),
  };
}

/** Only declares the format: `itemJson` serialises the rows, because a page spans several tables. */
export const plannerItem = serializer({ resource: PlannerItem, table: planner_notes, json: (item: object) => item });

/** The bookmark after an item. */
export const bookmarkOf = (row: PlannerItemRow): unknown[] => [row.at, row.rank, row.id];
