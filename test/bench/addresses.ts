// Every GET endpoint with the ids of the measured course, derived from the table of contents so that none is forgotten.

import { endpoints } from '@carrel/worker/dist/endpoints';
import { addressOf } from '@carrel/worker/http/router';
import { type Built, type CallerRole, tokenOf } from './measured';

export interface BenchAddress {
  /** As in the table of contents. */
  readonly name: string;
  readonly path: string;
  /** The caller; by default the first user who may, students first. */
  readonly part?: CallerRole;
}

/** By the path segment before the parameter and the parameter's name. */
function valuesOf({ firsts, student }: Built): Readonly<Record<string, string | number>> {
  const first = (table: string) => firsts[table] ?? 0;
  return {
    'courses/:course_id': first('courses'),
    'course/:course_id': first('courses'),
    'sections/:section_id': first('sections'),
    'accounts/:account_id': 1,
    ':user_id': student,
    'assignment_groups/:id': first('assignment_groups'),
    'assignments/:assignment_id': first('assignments'),
    'assignments/:id': first('assignments'),
    'overrides/:id': first('assignment_overrides'),
    'tokens/:token': first('tokens') + 1,
    'course_nicknames/:course_id': first('courses'),
    'favorites/courses/:id': first('courses'),
    'planner/overrides/:id': first('planner_overrides'),
    'planner_notes/:id': first('planner_notes') + 40,
    'calendar_events/:event': first('calendar_events'),
    'enrollments/:id': first('enrollments') + 1,
    'files/:id': first('files') + 1,
    'folders/:id': first('folders'),
    'conversations/:id': first('conversations'),
    'pages/:url': 'page-1',
    'revisions/:revision_id': 1,
    'modules/:id': first('modules'),
    'modules/:module_id': first('modules'),
    'modules/:context_module_id': first('modules'),
    'items/:id': first('module_items'),
    'module_item_redirect/:id': first('module_items'),
    'discussion_topics/:topic_id': first('discussion_topics'),
    'discussion_topics/:id': first('discussion_topics'),
    'entries/:entry_id': first('discussion_entries'),
    'roles/:role': 3,
    'terms/:term': 1,
    'by_path/:full_path+': 'Folder 1',
  };
}

const queries: Readonly<Record<string, string>> = {
  '/api/v1/accounts/:account_id/permissions': 'permissions[]=manage_courses_admin',
  '/api/v1/accounts/search': 'name=Faculty',
  '/api/v1/courses/:course_id/permissions': 'permissions[]=manage_grades',
  '/api/v1/search/recipients': 'search=Person',
  '/api/v1/conversations/find_recipients': 'search=Person',
  '/api/v1/calendar_events': 'all_events=true&context_codes[]=course_$course',
  '/api/v1/announcements': 'context_codes[]=course_$course',
  '/api/v1/courses/:course_id/assignments/overrides':
    'assignment_overrides[][id]=$override&assignment_overrides[][assignment_id]=$assignment',
  '/api/v1/courses/:course_id/module_item_sequence': 'asset_type=Page&asset_id=$page',
  '/api/v1/planner/items': 'start_date=2026-11-01&end_date=2026-11-20',
};

/** The query parameters that known clients send. */
const variants = (course: number, assignment: number): readonly BenchAddress[] => [
  { name: 'GET /courses, 100 with terms and scores', path: '/courses?per_page=100&include[]=term&include[]=total_scores', part: 'student' },
  { name: 'GET /accounts/1/courses by search', path: '/accounts/1/courses?search_term=Course 77&per_page=20', part: 'admin' },
  { name: 'GET /accounts/1/users by search', path: '/accounts/1/users?search_term=Person 77&per_page=20', part: 'admin' },
  {
    name: 'GET …/modules, 50 with items',
    path: `/courses/${course}/modules?include[]=items&include[]=content_details&per_page=50`,
    part: 'student',
  },
  {
    name: 'GET …/assignments, 50 with submission',
    path: `/courses/${course}/assignments?include[]=submission&per_page=50`,
    part: 'student',
  },
  { name: 'GET …/assignment_groups with assignments', path: `/courses/${course}/assignment_groups?include[]=assignments`, part: 'student' },
  { name: 'GET …/files, 100', path: `/courses/${course}/files?per_page=100`, part: 'student' },
  { name: 'GET …/files by search', path: `/courses/${course}/files?search_term=File 7`, part: 'student' },
  { name: 'GET …/pages, 50 by title', path: `/courses/${course}/pages?sort=title&per_page=50`, part: 'student' },
  {
    name: 'GET …/users, 50 with enrollments',
    path: `/courses/${course}/users?include[]=enrollments&include[]=email&per_page=50`,
    part: 'teacher',
  },
  { name: 'GET …/enrollments, 50', path: `/courses/${course}/enrollments?per_page=50`, part: 'teacher' },
  { name: 'GET …/submissions of one, 50', path: `/courses/${course}/assignments/${assignment}/submissions?per_page=50`, part: 'teacher' },
  {
    name: 'GET …/students/submissions, 50',
    path: `/courses/${course}/students/submissions?student_ids[]=all&per_page=50`,
    part: 'teacher',
  },
  { name: 'GET …/announcements', path: `/courses/${course}/discussion_topics?only_announcements=true`, part: 'student' },
  { name: 'GET /conversations of a teacher', path: '/conversations?per_page=20', part: 'teacher' },
  { name: 'GET /api/sync/v1/changes, first page of 500', path: 'changes', part: 'student' },
];

/** With `--brief`: the endpoints that clients call most, and the most expensive ones. */
export const hot: ReadonlySet<string> = new Set([
  'GET /users/:user_id',
  'GET /courses',
  'GET /courses/:course_id',
  'GET …/assignments, 50 with submission',
  'GET …/assignment_groups with assignments',
  'GET …/modules, 50 with items',
  'GET …/pages, 50 by title',
  'GET /courses/:course_id/pages/:url',
  'GET …/announcements',
  'GET /courses/:course_id/discussion_topics/:topic_id/view',
  'GET …/files, 100',
  'GET /folders/:id/files',
  'GET …/users, 50 with enrollments',
  'GET …/enrollments, 50',
  'GET …/students/submissions, 50',
  'GET /conversations of a teacher',
  'GET /calendar_events',
  'GET /planner/items',
  'GET /users/self/todo',
  'GET /users/self/activity_stream',
  'GET /search/recipients',
  'GET /accounts/:account_id/courses',
  'GET /accounts/:account_id/users',
  'GET /accounts/1/courses by search',
  'GET /accounts/1/users by search',
  'GET /api/sync/v1/changes, first page of 500',
  'GET /api/sync/v1/changes, nothing new',
]);

export interface Unmeasured {
  readonly name: string;
  readonly why: string;
}

export function benchAddresses(built: Built): { readonly found: readonly BenchAddress[]; readonly unmeasured: readonly Unmeasured[] } {
  const values = valuesOf(built);
  const unmeasured: Unmeasured[] = [];
  const seen = new Set<string>();
  const found = endpoints.flatMap((endpoint): BenchAddress[] => {
    // Outside /api/v1 are downloads, whose cost depends on their size, and the feed, which is added below.
    if (endpoint.method !== 'GET' || endpoint.absolute) return [];
    const address = addressOf(endpoint);
    if (seen.has(address)) return [];
    seen.add(address);
    const name = `GET ${address.replace('/api/v1', '')}`;
    const segments = address.split('/');
    const filled = segments.map((segment, at) => {
      if (!segment.startsWith(':')) return segment;
      for (let from = Math.max(0, at - 2); from <= at; from++) {
        const value = values[segments.slice(from, at + 1).join('/')];
        if (value !== undefined) return String(value);
      }
      return '';
    });
    if (filled.some((segment, at) => segment === '' && at > 0)) {
      unmeasured.push({ name, why: 'no data for it in the institution' });
      return [];
    }
    const query = queries[address]
      ?.replace('$course', String(built.firsts.courses))
      .replace('$assignment', String(built.firsts.assignments))
      .replace('$override', String(built.firsts.assignment_overrides))
      .replace('$page', String((built.firsts.pages ?? 0) + 1));
    return [{ name, path: `${filled.join('/')}${query ? `?${query}` : ''}` }];
  });
  const more = variants(built.firsts.courses ?? 0, built.firsts.assignments ?? 0).map((one) => ({
    ...one,
    path: one.path === 'changes' ? '/api/sync/v1/changes' : `/api/v1${one.path}`,
  }));
  return { found: [...found, ...more], unmeasured };
}

export const bearer = (part: CallerRole) => ({ authorization: `Bearer ${tokenOf(part)}` });
