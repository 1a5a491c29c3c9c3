// Full-text search in a course (reference 06 §13.6).

import { SearchResult } from '@carrel/shared/resources/search_result';
import { choices, optional, text } from '@carrel/shared/wire/fields';
import { withHost } from '../../html/addresses';
import { get } from '../../http/endpoint';
import { Problem, unauthorized } from '../../http/problem';
import { answer, pageOfRows } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { flagsWithSay, placeBy } from '../features/place';
import { pages } from '../pages/table';
import { type FoundRow, selectFinds } from './finding';
import { distanceOf, searchWords } from './ranking';

export const about = { title: 'Smart search', description: 'Search in the content of a course.' };

const result = serializer({ resource: SearchResult, table: pages, json: (found: object) => found });

interface Kind {
  readonly content_type: 'WikiPage' | 'Assignment' | 'Announcement' | 'DiscussionTopic';
  readonly readable_type: string;
  readonly word: 'pages' | 'assignments' | 'announcements' | 'discussion_topics';
  readonly path: (row: FoundRow) => string;
}

const kinds = {
  page: { content_type: 'WikiPage', readable_type: 'Page', word: 'pages', path: ({ url }) => `pages/${url}` },
  assignment: { content_type: 'Assignment', readable_type: 'Assignment', word: 'assignments', path: ({ id }) => `assignments/${id}` },
  announcement: {
    content_type: 'Announcement',
    readable_type: 'Announcement',
    word: 'announcements',
    path: ({ id }) => `discussion_topics/${id}`,
  },
  topic: {
    content_type: 'DiscussionTopic',
    readable_type: 'Discussion Topic',
    word: 'discussion_topics',
    path: ({ id }) => `discussion_topics/${id}`,
  },
} as const satisfies Record<string, Kind>;

const words = Object.values(kinds).map(({ word }) => word);

export const smartSearchRoutes = [
  get(
    '/courses/:course_id/smartsearch',
    {
      can: 'read',
      params: { q: optional(text), filter: choices(...words) },
      include: ['status', 'modules'],
      returns: { wrapped: 'results', of: result },
      summary: 'Search a course',
    },
    async (call) => {
      const { db, course, params, include, origin, url } = call;
      // A blank query is valid and finds nothing.
      if (params.q === undefined && !url.searchParams.has('q')) throw new Problem(400, { error: 'missing q param' });
      const query = params.q ?? '';
      const { pages: ofPages, assignments, discussion_topics } = selectFinds(call, searchWords(query));
      const [flags, foundPages, foundAssignments, foundTopics] = await db.perform([
        flagsWithSay(call),
        ofPages,
        assignments,
        discussion_topics,
      ]);
      if (!placeBy(call, flags).features.some(({ name, standing }) => name === 'smart_search' && standing.isEnabled)) throw unauthorized();
      if (query.trim() === '') return answer({ results: [] });
      const wanted = new Set<string>(params.filter?.length ? params.filter : words);
      const all = [
        ...foundPages.map((row) => ({ kind: kinds.page as Kind, row })),
        ...foundAssignments.map((row) => ({ kind: kinds.assignment as Kind, row })),
        ...foundTopics.map((row) => ({ kind: (row.is_announcement ? kinds.announcement : kinds.topic) as Kind, row })),
      ]
        .filter(({ kind }) => wanted.has(kind.word))
        .map((one) => ({ ...one, distance: distanceOf(one.row, query) }))
        .filter(({ distance }) => distance < 1)
        .sort((one, other) => one.distance - other.distance || one.row.id - other.row.id);
      const { per_page, after, number } = call.page;
      const start = after ? Number(after[0]) || 0 : ((number ?? 1) - 1) * per_page;
      const shown = all.slice(start, start + per_page).map(({ kind, row, distance }) => ({
        course_id: course.id,
        content_id: row.id,
        content_type: kind.content_type,
        readable_type: kind.readable_type,
        title: row.title,
        body: withHost(row.body, origin),
        html_url: `${origin}/courses/${course.id}/${kind.path(row)}`,
        distance,
        relevance: Math.round((1 - distance) * 100),
        ...(include.has('status') && { published: row.workflow_state !== 'unpublished', due_date: row.due_at }),
        ...(include.has('modules') && {
          modules: (JSON.parse(row.modules) as { published: string }[]).map((one) => ({ ...one, published: one.published === 'active' })),
        }),
      }));
      return pageOfRows(shown, start + per_page < all.length ? [start + per_page] : null);
    },
  ),
];
