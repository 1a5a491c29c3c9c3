// The state of a topic after it is created or updated: published, delayed, locked. Pure.

import { invalid, Problem, problem } from '../../http/problem';
import type { Forum, TopicRow } from './rights';

/** Parsed input for a topic; absent fields stay unchanged. */
export interface TopicGiven {
  readonly title?: string;
  readonly message?: string | null;
  readonly discussion_type?: TopicRow['discussion_type'];
  readonly published?: boolean;
  readonly delayed_post_at?: string | null;
  readonly lock_at?: string | null;
  readonly locked?: boolean;
  readonly podcast_enabled?: boolean;
  readonly podcast_has_student_posts?: boolean;
  readonly require_initial_post?: boolean;
  readonly pinned?: boolean;
  readonly allow_rating?: boolean;
  readonly only_graders_can_rate?: boolean;
  readonly sort_by_rating?: boolean;
  readonly todo_date?: string | null;
  readonly section_ids?: number[] | null;
  readonly group_category_id?: number | null;
  readonly anonymous_state?: TopicRow['anonymous_state'];
  readonly is_anonymous_author?: boolean;
  readonly sort_order?: TopicRow['sort_order'];
  readonly sort_order_locked?: boolean;
  readonly expanded?: boolean;
  readonly expanded_locked?: boolean;
}

const byField = (field: string, message: string) =>
  new Problem(400, { errors: { [field]: [{ attribute: field, type: 'invalid', message }] } });

/** Settings for moderators only; silently ignored from others. */
const moderatorsOnly = [
  'podcast_enabled',
  'podcast_has_student_posts',
  'pinned',
  'todo_date',
  'delayed_post_at',
  'lock_at',
  'locked',
  'group_category_id',
] as const;

function allowedTo(forum: Forum, given: TopicGiven): TopicGiven {
  if (forum.moderates) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !(moderatorsOnly as readonly string[]).includes(name)));
}

const checkAnonymity = ({ anonymous_state }: TopicGiven, before: TopicRow['anonymous_state'], forum: Forum): void => {
  if (anonymous_state && anonymous_state !== before && !forum.anonymises)
    throw byField('anonymous_state', 'You are not able to create an anonymous discussion');
};

function checkText({ title }: TopicGiven): void {
  if (title !== undefined && title.length > 255) throw invalid('title', 'too_long', 'is too long (maximum is 255 characters)');
}

const isAhead = (at: string | null | undefined, now: string): boolean => typeof at === 'string' && at > now;

const plain = ({ published: _, locked: __, delayed_post_at: ___, lock_at: ____, ...rest }: TopicGiven) => ({
  ...rest,
  ...(rest.podcast_has_student_posts && { podcast_enabled: true }),
});

export interface NewTopic {
  readonly is_announcement: boolean;
  readonly isGraded: boolean;
}

/**
 * The columns of a new topic.
 * @throws Problem 400 by field
 */
export function opened(sent: TopicGiven, forum: Forum, { is_announcement, isGraded }: NewTopic, now: string) {
  checkText(sent);
  checkAnonymity(sent, null, forum);
  if (sent.published === false && !forum.moderates && !is_announcement)
    throw byField('published', 'You do not have permission to set this discussion topic to draft');
  const given = allowedTo(forum, sent);
  if (given.todo_date && isGraded) throw byField('todo_date', 'Date cannot be added if discussion topic is graded');
  const isPublished = is_announcement || (given.published ?? forum.startsPublished);
  const waits = isPublished && isAhead(given.delayed_post_at, now);
  return {
    ...plain(given),
    title: given.title?.trim() || 'No Title',
    is_announcement,
    delayed_post_at: given.delayed_post_at ?? null,
    lock_at: given.lock_at ?? null,
    locked: given.locked ?? (is_announcement && forum.closesAnnouncements),
    workflow_state: waits ? ('post_delayed' as const) : isPublished ? ('active' as const) : ('unpublished' as const),
    posted_at: now,
    last_reply_at: now,
    todo_date: isGraded ? null : given.todo_date,
  };
}

export interface Circumstances {
  readonly isGraded: boolean;
  readonly due_at: string | null;
  /** Students have posted or submitted. */
  readonly isUsed: boolean;
}

const delayAfter = (before: TopicRow, given: TopicGiven) =>
  given.delayed_post_at === undefined ? before.delayed_post_at : given.delayed_post_at;

/** Published, delayed or not published. @throws Problem 400 for unpublishing a topic that students have used */
function stateAfter(before: TopicRow, sent: TopicGiven, given: TopicGiven, forum: Forum, isUsed: boolean, now: string) {
  const wasPublished = before.workflow_state !== 'unpublished';
  const isPublished = before.is_announcement || (sent.published ?? wasPublished);
  if (!isPublished) {
    if (wasPublished && !forum.moderates) throw byField('published', 'You do not have permission to set this discussion topic to draft');
    if (wasPublished && isUsed) throw byField('published', "Can't unpublish if there are student posts or submissions");
    return 'unpublished' as const;
  }
  const delayed_post_at = delayAfter(before, given);
  const mayWait = delayed_post_at !== before.delayed_post_at || before.workflow_state === 'post_delayed';
  return mayWait && isAhead(delayed_post_at, now) ? ('post_delayed' as const) : ('active' as const);
}

/** A new lock date determines the lock; unlocking by hand removes the date. @throws Problem 400 for locking a topic before it is due */
function lockAfter(before: TopicRow, given: TopicGiven, due_at: string | null, now: string) {
  const lock_at = given.lock_at === undefined ? before.lock_at : given.lock_at;
  const isPast = lock_at !== null && lock_at <= now;
  if (lock_at !== before.lock_at) return { lock_at, locked: isPast };
  const locked = given.locked ?? before.locked;
  if (locked && !before.locked && isAhead(due_at, now)) throw problem(400, 'This topic cannot be locked before its due date');
  const isOpened = given.locked === false && (before.locked || isPast);
  return { lock_at: isOpened ? null : lock_at, locked };
}

/**
 * The columns that an update sets.
 * @throws Problem 400 for changes that existing posts rule out
 */
export function topicChanges(before: TopicRow, sent: TopicGiven, forum: Forum, { isGraded, due_at, isUsed }: Circumstances, now: string) {
  checkText(sent);
  checkAnonymity(sent, before.anonymous_state, forum);
  const given = allowedTo(forum, sent);
  if (given.todo_date && isGraded) throw byField('todo_date', 'Date cannot be added if discussion topic is graded');
  const workflow_state = stateAfter(before, sent, given, forum, isUsed, now);
  const isReleased = workflow_state === 'active' && before.workflow_state !== 'active';
  return {
    ...plain(given),
    title: given.title === undefined ? undefined : given.title.trim() || 'No Title',
    delayed_post_at: delayAfter(before, given),
    ...lockAfter(before, given, due_at, now),
    workflow_state,
    ...(isGraded && before.todo_date !== null && { todo_date: null }),
    ...(isReleased && { posted_at: now, last_reply_at: now }),
  };
}
