// Counts the page views of courses by user, hour and category. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { TallyEntry } from './table';
import type { RecordedView } from './view';

/** Reference 03 §16. */
export const viewCategories = [
  'announcements',
  'assignments',
  'collaborations',
  'conferences',
  'discussions',
  'files',
  'general',
  'grades',
  'groups',
  'modules',
  'other',
  'pages',
  'quizzes',
] as const;
export type ViewCategory = (typeof viewCategories)[number];

/** By the first word of the path after its course or section. */
const categories: Readonly<Record<string, ViewCategory>> = {
  announcements: 'announcements',
  assignment_groups: 'assignments',
  assignments: 'assignments',
  collaborations: 'collaborations',
  collaborators: 'collaborations',
  conferences: 'conferences',
  discussion_topics: 'discussions',
  file_contents: 'files',
  files: 'files',
  folders: 'files',
  activity_stream: 'general',
  settings: 'general',
  tabs: 'general',
  todo: 'general',
  custom_gradebook_columns: 'grades',
  gradebook_history: 'grades',
  grading_periods: 'grades',
  grading_standards: 'grades',
  students: 'grades',
  group_categories: 'groups',
  groups: 'groups',
  modules: 'modules',
  front_page: 'pages',
  pages: 'pages',
  quizzes: 'quizzes',
};

const places = new Set(['courses', 'sections']);

export function viewCategoryOf(url: string): ViewCategory {
  const { pathname, searchParams } = new URL(url);
  const words = pathname
    .replace(/^\/api\/v1/, '')
    .split('/')
    .slice(1);
  const word = places.has(words[0] ?? '') ? words[2] : words[0];
  if (word === undefined) return 'general';
  if (word === 'discussion_topics' && searchParams.get('only_announcements') === 'true') return 'announcements';
  return lookUp(categories, word) ?? 'other';
}

const longestPath = 200;
const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);
const hourOf = (time: string): number => Math.floor(secondsOf(time) / 3600);

/** Requests that an administrator makes in the name of a user are not that user's activity. */
const isCounted = ({ context_type, context_id, real_user_id }: RecordedView): boolean =>
  context_type === 'Course' && context_id !== null && real_user_id === null;

export function tallyOf(views: readonly RecordedView[]): TallyEntry[] {
  const groups = Map.groupBy(views.filter(isCounted), (view) =>
    [view.context_id, view.user_id, hourOf(view.created_at), viewCategoryOf(view.url)].join(' '),
  );
  return [...groups].map(([key, some]) => {
    const [course = '', user = '', hour = '', category = ''] = key.split(' ');
    const done = some.filter(({ participated }) => participated);
    const participated = done.map(({ created_at, url }) => `${secondsOf(created_at)} ${new URL(url).pathname.slice(0, longestPath)}\n`);
    return [Number(course), Number(user), Number(hour), category, some.length, done.length, participated.join('')];
  });
}
