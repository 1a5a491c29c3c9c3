// Items before a change, and the news of a change to one of them, for the case tables of news.

import { type NewsDraft, newsOf, type Seeing } from '../../desktop/engine/news/of_change';

const me = 7;

const result = (kind: Seeing['kind'], before: object | undefined, after: object | undefined): NewsDraft[] =>
  newsOf({
    kind,
    id: 1,
    course_id: 5,
    before: before as never,
    after: after as never,
    me,
    studentName: (id) => (id === 9 ? 'Maya' : undefined),
    titleOf: (kind, id) => (kind === 'assignment' && id === 1 ? 'Essay' : kind === 'folder' ? `Folder ${id}` : undefined),
  });

const essay = {
  id: 1,
  course_id: 5,
  name: 'Essay',
  due_at: '2026-11-20T10:00:00Z',
  points_possible: 10,
  description: '<p>Two pages.</p>',
  lock_at: null,
};

const page = { page_id: 1, url: 'tides', title: 'Tides', body: '<p>Twice a day.</p>' };

const file = { id: 1, folder_id: 1, display_name: 'slides.pdf', size: 1, sha256: 'a' };

const module = { id: 1, name: 'Week 1', position: 1, state: 'locked', items: [{ id: 1, type: 'Page', title: 'Tides' }] };

export const sampleNews = { me, result, essay, page, file, module };
