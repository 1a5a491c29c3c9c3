// Scopes for several endpoints at once: what assistants may do through the Model Context Protocol (`worker/mcp`).

import { lookUp } from '@carrel/shared/wire/look_up';

export const readByAssistant = 'mcp:read';
export const writeByAssistant = 'mcp:write';

interface Bundle {
  readonly summary: string;
  readonly scopes: readonly string[];
}

const reads = (...paths: string[]) => paths.map((path) => `url:GET|/api/v1/${path}`);

const bundles: Readonly<Record<string, Bundle>> = {
  [readByAssistant]: {
    summary: 'Read your courses, planner, grades, and the work of students where you teach',
    scopes: reads(
      'users/self',
      'courses',
      'courses/:course_id',
      'courses/:course_id/modules',
      'courses/:course_id/pages',
      'courses/:course_id/pages/:url_or_id',
      'courses/:course_id/assignments',
      'courses/:course_id/assignments/:id',
      'courses/:course_id/assignments/:assignment_id/submissions',
      'courses/:course_id/assignments/:assignment_id/submissions/:user_id',
      'courses/:course_id/discussion_topics',
      'courses/:course_id/discussion_topics/:topic_id',
      'courses/:course_id/discussion_topics/:topic_id/view',
      'courses/:course_id/files',
      'courses/:course_id/files/:id',
      'courses/:course_id/quizzes/:id',
      'courses/:course_id/smartsearch',
      'courses/:course_id/students/submissions',
      'users/self/enrollments',
      'planner/items',
      'users/self/activity_stream',
      'users/self/todo',
    ),
  },
  [writeByAssistant]: {
    summary: 'Hand in work for you, and grade where you teach',
    scopes: [
      'url:POST|/api/v1/courses/:course_id/assignments/:assignment_id/submissions',
      'url:PUT|/api/v1/courses/:course_id/assignments/:assignment_id/submissions/:user_id',
    ],
  },
};

export const isScopeBundle = (scope: string): boolean => lookUp(bundles, scope) !== undefined;

/** One line for the consent page; undefined for other scopes. */
export const bundleSummary = (scope: string): string | undefined => lookUp(bundles, scope)?.summary;

/** The scopes with the endpoints of their bundles. */
export const withBundles = (scopes: readonly string[]): string[] =>
  scopes.flatMap((scope) => [scope, ...(lookUp(bundles, scope)?.scopes ?? [])]);
