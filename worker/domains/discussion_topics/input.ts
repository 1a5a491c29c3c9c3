// Parameters of a topic, at the top level and without a wrapper (reference 05 §4.2).

import { bool, idField, idsWithin, int, json, maybe, oneOf, optional, type Shape, text, time } from '@carrel/shared/wire/fields';
import { wordOf } from '@carrel/shared/wire/form';
import { and, eq } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database } from '../../database/open';
import { storableHtml } from '../../html/kept';
import { Problem } from '../../http/problem';
import { sections } from '../sections/table';
import { type GradingGiven, gradingFields } from './graded_assignment';
import { type ForumPlace, isGroup } from './place';
import type { TopicGiven } from './states';

export const topicFields = {
  title: optional(maybe(text)),
  message: optional(maybe(text)),
  discussion_type: optional(oneOf('side_comment', 'threaded', 'not_threaded', 'flat')),
  published: optional(bool),
  delayed_post_at: optional(maybe(time)),
  lock_at: optional(maybe(time)),
  locked: optional(bool),
  lock_comment: optional(bool),
  podcast_enabled: optional(bool),
  podcast_has_student_posts: optional(bool),
  require_initial_post: optional(bool),
  is_announcement: optional(bool),
  pinned: optional(bool),
  position_after: optional(maybe(idField('discussion_topic'))),
  position_at: optional(maybe(int)),
  allow_rating: optional(bool),
  only_graders_can_rate: optional(bool),
  sort_by_rating: optional(bool),
  todo_date: optional(maybe(time)),
  specific_sections: optional(idsWithin('section')),
  group_category_id: optional(maybe(idField('group_category'))),
  anonymous_state: optional(maybe(oneOf('full_anonymity', 'partial_anonymity', 'off'))),
  is_anonymous_author: optional(bool),
  sort_order: optional(oneOf('asc', 'desc')),
  sort_order_locked: optional(bool),
  expanded: optional(bool),
  expanded_locked: optional(bool),
  attachment: optional(json),
  remove_attachment: optional(json),
  ...gradingFields,
};
export type TopicParams = Shape<typeof topicFields>;

const refusedSections = (message: string) =>
  new Problem(400, { errors: { specific_sections: [{ attribute: 'specific_sections', type: 'invalid', message }] } });

/** Ids of the named sections; null means all, undefined means not sent. */
export function sectionsGiven(given: unknown): number[] | null | undefined {
  if (given === undefined) return undefined;
  const words = (Array.isArray(given) ? given : wordOf(given).split(',')).map((word) => wordOf(word).trim()).filter((word) => word !== '');
  if (words.length === 0 || words.includes('all')) return null;
  if (!words.every((word) => /^\d{1,15}$/.test(word))) throw refusedSections('is invalid');
  return [...new Set(words.map(Number))];
}

/** The sections that belong to the course. */
export const selectSections = ({ build }: Database, course: ForumPlace, wanted: readonly number[]) =>
  build
    .select({ id: sections.id })
    .from(sections)
    .where(and(among(sections.id, wanted), eq(sections.course_id, isGroup(course) ? 0 : course.id), eq(sections.workflow_state, 'active')));

/** @throws Problem 400 for sections that are unknown or that the caller may not address */
export function checkSections(
  wanted: readonly number[] | null | undefined,
  there: readonly { id: number }[],
  course: ForumPlace,
  isGraded: boolean,
): void {
  if (!wanted) return;
  if (isGraded) throw refusedSections('a graded discussion cannot be section-specific');
  if (there.length < wanted.length) throw refusedSections("You don't have permissions to modify discussion for section(s)");
  const limit = course.readsAsAdmin ? course.sectionLimit : course.sectionIds;
  if (limit && !wanted.every((id) => limit.includes(id)))
    throw refusedSections("You don't have permissions to modify discussion for section(s)");
}

/** The group set, sent for the topic or for its assignment. */
export const setGiven = ({ group_category_id, assignment }: TopicParams): number | null | undefined =>
  group_category_id === undefined ? assignment?.group_category_id : group_category_id;

/** The parameters in the form that states.ts expects. Dates sent for the assignment are not the topic's own. */
export function givenOf(params: TopicParams, from: { readonly origin: string }): TopicGiven {
  const { assignment, anonymous_state, title, message } = params;
  const isDated = (name: 'unlock_at' | 'lock_at') => Boolean((assignment as GradingGiven | undefined)?.[name]);
  const given = {
    title: title === undefined ? undefined : (title ?? ''),
    message: message === undefined ? undefined : storableHtml(message, from),
    discussion_type: params.discussion_type,
    published: params.published,
    delayed_post_at: isDated('unlock_at') ? null : params.delayed_post_at,
    lock_at: isDated('lock_at') ? null : params.lock_at,
    locked: params.locked ?? params.lock_comment,
    podcast_enabled: params.podcast_enabled,
    podcast_has_student_posts: params.podcast_has_student_posts,
    require_initial_post: params.require_initial_post,
    pinned: params.pinned,
    allow_rating: params.allow_rating,
    only_graders_can_rate: params.only_graders_can_rate,
    sort_by_rating: params.sort_by_rating,
    todo_date: params.todo_date,
    section_ids: sectionsGiven(params.specific_sections),
    group_category_id: setGiven(params),
    anonymous_state: anonymous_state === 'off' ? null : anonymous_state,
    is_anonymous_author: params.is_anonymous_author,
    sort_order: params.sort_order,
    sort_order_locked: params.sort_order_locked,
    expanded: params.expanded,
    expanded_locked: params.expanded_locked,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
