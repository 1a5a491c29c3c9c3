// The courses as the desk shows them: cards, modules, pages, announcements.

import type { ChannelResult } from '../../contract/channels';
import type { CourseCard, ModuleView, PageCard, StudentChoice } from '../../contract/course';
import type { Reference } from '../../contract/reading';
import { chosenStudent, isInSight, learnerIn, observedIn, observedStudents } from '../model/observing';
import { places } from '../model/places';
import {
  announcedAtOf,
  type CourseJson,
  type GroupJson,
  type ModuleItemJson,
  type ModuleJson,
  type PageJson,
  type TopicJson,
} from '../model/resources';
import { onlyTeaches, roleIn, studiesIn } from '../model/teaching';
import type { Outbox } from '../outbox/outbox';
import { unsentItems, unsentReads } from '../outbox/seen';
import { mayGrade } from '../server/grading_course';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { plainText } from '../text/plain_text';
import { mayAuthorIn, unsentTexts } from './authoring';
import { pageOnServer } from './on_server';
import { hasOutcomes } from './outcomes';
import { hasQuizzesToTake } from './quizzes';

interface Here {
  readonly cache: Cache;
  readonly outbox: Outbox;
  readonly user: UserStore;
  readonly signedIn: { readonly user_id: number };
}

/** The address of the feed of a course or group, where the server sends one that a calendar program can read. */
function calendarOf(cache: Cache, id: number): string | null {
  const { calendar } = (id < 0 ? cache.get<GroupJson>('group', -id) : cache.get<CourseJson>('course', id)) ?? {};
  const url = calendar?.ics ? URL.parse(calendar.ics) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** The students whom the user observes, by name. */
export function studentChoices(here: Here): StudentChoice[] {
  const chosen = chosenStudent(here)?.id;
  return observedStudents(here.cache, here.signedIn.user_id).map((one) => ({ ...one, chosen: one.id === chosen }));
}

/** The courses, and after them the groups. */
export function courseCards(here: Here): CourseCard[] {
  const { cache, outbox, signedIn } = here;
  const read = unsentReads(outbox);
  const card = (course: ReturnType<typeof places>[number]): CourseCard => {
    const role = roleIn(cache, course.id, signedIn.user_id);
    const learner = learnerIn(here, course.id);
    const calendar_url = calendarOf(cache, course.id);
    return {
      id: course.id,
      name: course.name,
      course_code: course.course_code ?? '',
      term_name: course.term?.name ?? null,
      file_count: cache.countOfCourse('file', course.id),
      unread_announcements: announcementsOf(cache, course.id).filter((topic) => !isRead(topic, read)).length,
      role,
      ...(mayGrade(here, course.id) && { may_grade: true }),
      ...(mayAuthorIn(here, course.id) && { may_author: true }),
      ...(hasQuizzesToTake(here, course.id) && { has_quizzes: true }),
      ...(hasOutcomes(here, course.id) && { has_outcomes: true }),
      progress: role === 'studies' ? progressOf(cache.ofCourse<ModuleJson>('module', course.id)) : null,
      ...(course.access_restricted_by_date && { is_shut: true }),
      ...(role === 'observes' && {
        ...(typeof learner === 'object' && { student: learner }),
        students: observedIn(cache, course.id, signedIn.user_id).map(({ id }) => id),
      }),
      ...(!isInSight(here, course.id) && { out_of_sight: true }),
      ...(calendar_url !== null && { calendar_url }),
    };
  };
  return places(cache)
    .map(card)
    .sort((a, b) => Number(a.id < 0) - Number(b.id < 0) || a.name.localeCompare(b.name));
}

/** Topics that were read here count, even if the server does not know it yet. */
const isRead = ({ id, read_state }: TopicJson, read: ReadonlySet<number>): boolean => read_state !== 'unread' || read.has(id);

function progressOf(modules: readonly ModuleJson[]): number | null {
  const asked = modules.flatMap(({ items }) => items ?? []).flatMap((item) => item.completion_requirement ?? []);
  return asked.length === 0 ? null : asked.filter(({ completed }) => completed).length / asked.length;
}

const states = ['locked', 'unlocked', 'started', 'completed'] as const;

export function moduleViews({ cache, outbox, signedIn }: Omit<Here, 'user'>, courseId: number): ModuleView[] {
  // Requirements are for students; the server reports their progress to no one else.
  const isStudent = studiesIn(cache, courseId, signedIn.user_id);
  const unsent = unsentItems(outbox);
  const pages = new Map(cache.ofCourse<PageJson>('page', courseId).map((page) => [page.url, page.page_id]));
  return cache
    .ofCourse<ModuleJson>('module', courseId)
    .toSorted((a, b) => a.position - b.position || a.id - b.id)
    .map(({ id, name, position, state, unlock_at, items }) => ({
      id,
      name,
      position,
      state: isStudent ? (states.find((known) => known === state) ?? null) : null,
      unlock_at: unlock_at ?? null,
      items: (items ?? [])
        .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
        .map((item) => ({
          id: item.id,
          type: item.type,
          title: item.title,
          indent: item.indent ?? 0,
          requirement: isStudent ? (item.completion_requirement?.type ?? null) : null,
          completed: isStudent ? (item.completion_requirement?.completed ?? null) : null,
          pending: unsent.has(item.id),
          open: opens(item, courseId, pages, cache),
          ...(isStudent && hasQuiz(item, cache) && { quiz_id: item.content_id }),
          // The own address of a tool only works when it is launched from its page.
          external_url: (item.type === 'ExternalUrl' ? null : pageOnServer(cache, item)) ?? item.external_url ?? null,
        })),
    }));
}

/** The quiz of a module item is here. */
const hasQuiz = (item: ModuleItemJson, cache: Cache): item is ModuleItemJson & { readonly content_id: number } =>
  item.type === 'Quiz' && item.content_id != null && cache.get('quiz', item.content_id) !== undefined;

const kinds = { Assignment: 'assignment', Discussion: 'discussion_topic', File: 'file' } as const;

function opens(item: ModuleItemJson, course_id: number, pages: ReadonlyMap<string, number>, cache: Cache): Reference | null {
  if (item.type === 'Page') {
    const id = pages.get(item.page_url ?? '');
    return id === undefined ? null : { kind: 'page', course_id, id };
  }
  const kind = kinds[item.type as keyof typeof kinds];
  const id = item.content_id;
  return kind && id != null && cache.get(kind, id) ? { kind, course_id, id } : null;
}

export function coursePages(here: Here, courseId: number): PageCard[] {
  const { cache, signedIn } = here;
  const isTaught = onlyTeaches(cache, courseId, signedIn.user_id);
  const unsent = unsentTexts(here, 'page', courseId);
  const there = cache.ofCourse<PageJson>('page', courseId).map(({ page_id: id, title, front_page = false, published }): PageCard => {
    const mine = unsent.get(id);
    return { id, title, front_page, ...(isTaught && published === false && { is_draft: true }), ...(mine && { unsent: mine.unsent }) };
  });
  const fresh = [...unsent].flatMap(([id, mine]): PageCard[] => (id < 0 ? [{ id, front_page: false, is_draft: true, ...mine }] : []));
  return [...there, ...fresh].sort((a, b) => Number(b.front_page) - Number(a.front_page) || a.title.localeCompare(b.title));
}

const announcementsOf = (cache: Cache, courseId: number): TopicJson[] =>
  cache.ofCourse<TopicJson>('discussion_topic', courseId).filter(({ is_announcement }) => is_announcement);

export function announcementsView(cache: Cache, outbox: Outbox, courseId: number | null): ChannelResult<'announcements.list'> {
  const read = unsentReads(outbox);
  return places(cache)
    .filter(({ id }) => courseId === null || id === courseId)
    .flatMap((course) =>
      announcementsOf(cache, course.id).map((topic) => ({
        id: topic.id,
        course_id: course.id,
        course_name: course.name,
        title: topic.title,
        posted_at: announcedAtOf(topic) ?? '',
        author: topic.author?.display_name ?? topic.user_name ?? null,
        excerpt: plainText(topic.message, 200),
        read: isRead(topic, read),
      })),
    )
    .sort((a, b) => b.posted_at.localeCompare(a.posted_at) || b.id - a.id);
}
