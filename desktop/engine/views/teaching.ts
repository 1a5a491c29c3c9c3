// What waits for people who teach, and the assignments of a course as they see them.

import type { Reference } from '../../contract/reading';
import type { TaughtAssignment, TeachingView, UnreadDiscussion, WorkToGrade } from '../../contract/teaching';
import type { AssignmentGroupJson, AssignmentJson, CourseJson, TopicJson } from '../model/resources';
import { roleIn, teaches } from '../model/teaching';
import type { Outbox } from '../outbox/outbox';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { unsentTexts } from './authoring';
import { unreadIn } from './discussions';

interface Here {
  readonly cache: Cache;
  readonly outbox: Outbox;
  readonly user: UserStore;
  readonly signedIn: { readonly user_id: number };
}

const lastly = '9999';
const byDate = (a: { readonly due_at: string | null; readonly id: number }, b: typeof a): number =>
  (a.due_at ?? lastly).localeCompare(b.due_at ?? lastly) || a.id - b.id;

/** Where an assignment is read: a graded discussion is the discussion. */
function openingIn(cache: Cache, course_id: number): (id: number) => Reference {
  const topics = new Map(
    cache
      .ofCourse<TopicJson>('discussion_topic', course_id)
      .flatMap((topic) => (topic.assignment_id ? [[topic.assignment_id, topic.id]] : [])),
  );
  return (id) => {
    const topic = topics.get(id);
    return topic === undefined ? { kind: 'assignment', course_id, id } : { kind: 'discussion_topic', course_id, id: topic };
  };
}

/** Null if the user teaches no course. */
export function teachingView({ cache, outbox, signedIn }: Omit<Here, 'user'>): TeachingView | null {
  const me = signedIn.user_id;
  const courses = cache.all<CourseJson>('course').filter(({ name }) => name !== undefined);
  const taught = courses.filter(({ id }) => teaches(cache, id, me));
  if (taught.length === 0) return null;
  const roles = courses.map(({ id }) => roleIn(cache, id, me));
  const to_grade = taught.flatMap(({ id: course_id, name: course_name = '' }): WorkToGrade[] => {
    const openingOf = openingIn(cache, course_id);
    return cache
      .ofCourse<AssignmentJson>('assignment', course_id)
      .flatMap(({ id, name, due_at = null, needs_grading_count: count = 0 }) =>
        count > 0 ? [{ id, open: openingOf(id), title: name, course_id, course_name, count, due_at }] : [],
      );
  });
  const discussions = taught.flatMap(({ id: course_id, name: course_name = '' }): UnreadDiscussion[] => {
    const unreadOf = unreadIn(outbox);
    return cache.ofCourse<TopicJson>('discussion_topic', course_id).flatMap((topic) => {
      const unread = unreadOf(topic);
      const open = { kind: 'discussion_topic', course_id, id: topic.id } as const;
      return unread > 0 ? [{ open, title: topic.title, course_id, course_name, unread, last_reply_at: topic.last_reply_at ?? null }] : [];
    });
  });
  return {
    beside: (['studies', 'observes'] as const).find((role) => roles.includes(role)) ?? null,
    to_grade: to_grade.sort(byDate),
    discussions: discussions.sort((a, b) => (b.last_reply_at ?? '').localeCompare(a.last_reply_at ?? '') || b.open.id - a.open.id),
  };
}

export function taughtAssignments(here: Pick<Here, 'cache' | 'outbox' | 'user'>, course_id: number): TaughtAssignment[] {
  const { cache } = here;
  const unsent = unsentTexts(here, 'assignment', course_id);
  const openingOf = openingIn(cache, course_id);
  const groups = new Map(cache.ofCourse<AssignmentGroupJson>('assignment_group', course_id).map(({ id, name }) => [id, name]));
  return cache
    .ofCourse<AssignmentJson>('assignment', course_id)
    .map((one) => ({
      id: one.id,
      open: openingOf(one.id),
      title: one.name,
      group: groups.get(one.assignment_group_id ?? 0) ?? null,
      due_at: one.due_at ?? null,
      has_other_dates: one.has_overrides ?? false,
      points_possible: one.points_possible ?? null,
      published: one.published !== false,
      to_grade: one.needs_grading_count ?? null,
      ...(unsent.has(one.id) && { unsent: unsent.get(one.id)?.unsent }),
    }))
    .sort(byDate);
}
