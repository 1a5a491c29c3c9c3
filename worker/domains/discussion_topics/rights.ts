// What a caller may do with a topic, and what locks it for them.

import type { Institution } from '../../contexts/institution';
import type { RowOf } from '../../http/listing';
import { settingsOf } from '../courses/settings';
import { type ChildColumns, isRoot, ownChildOf } from './group_topics/children';
import { type ForumPlace, type GroupForum, isGroup } from './place';
import type { discussion_topics } from './table';

export type TopicRow = RowOf<typeof discussion_topics>;

/** The caller's permissions in the forum of a course. */
export interface Forum {
  readonly me: number;
  readonly moderates: boolean;
  readonly announces: boolean;
  readonly creates: boolean;
  readonly posts: boolean;
  readonly grades: boolean;
  readonly makesAssignments: boolean;
  /** Sees unpublished topics, is never locked out, need not post first. */
  readonly isStaff: boolean;
  readonly editsOwn: boolean;
  readonly attaches: boolean;
  readonly announcementsAreClosed: boolean;
  /** New announcements are closed for comments by default. */
  readonly closesAnnouncements: boolean;
  /** New topics are published by default. */
  readonly startsPublished: boolean;
  /** May create anonymous topics. */
  readonly anonymises: boolean;
  /** In a group without being a member. */
  readonly isOutside: boolean;
}

export function forumOf(course: ForumPlace, me: { readonly id: number }, institution: Institution): Forum {
  if (isGroup(course)) return forumOfGroup(course, me);
  const settings = settingsOf(
    course,
    course.chain.flatMap((id) => institution.accounts.get(id) ?? []),
  );
  const isStaff = course.readsAsAdmin;
  return {
    me: me.id,
    moderates: course.can('moderate_forum'),
    announces: course.can('moderate_forum'),
    creates: course.can('create_forum') && (isStaff || settings.allow_student_discussion_topics),
    posts: course.can('post_to_forum'),
    grades: course.can('manage_grades'),
    makesAssignments: course.can('manage_assignments_add'),
    isStaff,
    editsOwn: isStaff || settings.allow_student_discussion_editing,
    attaches: isStaff || settings.allow_student_forum_attachments,
    announcementsAreClosed: settings.lock_all_announcements,
    closesAnnouncements: true,
    startsPublished: !course.can('moderate_forum'),
    anonymises: isStaff || settings.allow_student_anonymous_discussion_topics,
    isOutside: false,
  };
}

/** Every member may create topics, announce and post; moderators of the group and of its course may manage them (reference 05 §14). */
function forumOfGroup({ can, readsAsAdmin, group }: GroupForum, me: { readonly id: number }): Forum {
  const takesPart = can('post_to_forum');
  return {
    me: me.id,
    moderates: can('moderate_forum'),
    announces: takesPart,
    creates: can('create_forum'),
    posts: takesPart,
    grades: can('moderate_forum'),
    makesAssignments: false,
    isStaff: readsAsAdmin,
    editsOwn: true,
    attaches: takesPart,
    announcementsAreClosed: false,
    closesAnnouncements: false,
    startsPublished: group.isMember || !can('moderate_forum'),
    anonymises: false,
    isOutside: !group.isMember,
  };
}

export const isDelayed = (topic: TopicRow, now: string): boolean =>
  topic.workflow_state === 'post_delayed' && topic.delayed_post_at !== null && topic.delayed_post_at > now;

/** Closed for comments, by hand or by its lock date. */
const isClosed = (topic: TopicRow, forum: Forum, now: string): boolean =>
  topic.locked || (topic.lock_at !== null && topic.lock_at <= now) || (topic.is_announcement && forum.announcementsAreClosed);

export const mayReply = (topic: TopicRow, forum: Forum, now: string): boolean =>
  forum.moderates || (forum.posts && !isRoot(topic) && !isClosed(topic, forum, now) && !isDelayed(topic, now));

/** Group topics are managed through their root topic. */
export const mayUpdate = (topic: TopicRow, forum: Forum): boolean =>
  topic.root_topic_id === null && (forum.moderates || (topic.user_id === forum.me && forum.posts && forum.editsOwn));

export const mayDelete = (topic: TopicRow, forum: Forum): boolean =>
  topic.root_topic_id === null && (forum.moderates || (topic.user_id === forum.me && forum.posts && topic.entry_count === 0));

/** Users who may create topics may copy their own; copying a graded one also needs permission to create assignments. */
export const mayCopy = (topic: TopicRow, forum: Forum): boolean =>
  forum.creates &&
  (topic.assignment_id === null ? forum.moderates || topic.user_id === forum.me : forum.moderates && forum.makesAssignments);

/** Authors may change their entries while the topic is open. */
export const mayChangeEntry = (author_id: number, topic: TopicRow, forum: Forum, now: string): boolean =>
  forum.moderates || (author_id === forum.me && forum.posts && forum.editsOwn && !isClosed(topic, forum, now));

/** Whether entries are hidden until the caller has posted. */
export const mustPostFirst = (topic: TopicRow, forum: Forum, hasPosted: boolean): boolean =>
  topic.require_initial_post && !forum.isStaff && !hasPosted;

/** The first reason why the caller cannot subscribe. */
export function holdOf(topic: TopicRow & ChildColumns, forum: Forum, hasPosted: boolean): string | undefined {
  if (topic.is_announcement) return 'topic_is_announcement';
  if (mustPostFirst(topic, forum, hasPosted)) return 'initial_post_required';
  if (isRoot(topic) && !ownChildOf(topic)) return 'not_in_group_set';
  return topic.root_topic_id !== null && forum.isOutside ? 'not_in_group' : undefined;
}

/** A group discussion is subscribed to in the caller's own group topic. */
export function isFollowed(topic: TopicRow & ChildColumns, forum: Forum, hasPosted: boolean, chosen: boolean | null): boolean {
  const child = isRoot(topic) ? ownChildOf(topic) : undefined;
  const [asked, posted] = child ? [child.subscribed, child.hasPosted] : [chosen, hasPosted];
  return !topic.is_announcement && (asked ?? ((topic.user_id === forum.me || posted) && holdOf(topic, forum, hasPosted) === undefined));
}
