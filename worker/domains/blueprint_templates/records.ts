// Changes of a blueprint as clients see them.

import type { BlueprintChange, Conflict } from './table';

const assetTypes: Readonly<Record<string, string>> = {
  file: 'attachment',
  page: 'wiki_page',
  outcome_group: 'learning_outcome_group',
  module: 'context_module',
};

const paths: Readonly<Record<string, (change: BlueprintChange) => string>> = {
  file: ({ id }) => `/files/${id}`,
  assignment_group: () => '/assignments',
  assignment: ({ id }) => `/assignments/${id}`,
  page: ({ url }) => `/pages/${url}`,
  discussion_topic: ({ id, is_announcement }) => `/${is_announcement ? 'announcements' : 'discussion_topics'}/${id}`,
  calendar_event: ({ id }) => `/calendar_events/${id}`,
  module: ({ id }) => `/modules/${id}`,
  syllabus: () => '/assignments/syllabus',
  settings: () => '/settings',
};

interface Exceptions {
  readonly course_id: number;
  readonly conflicts: readonly Conflict[];
}

/** @param exceptions the exceptions in each associated course; absent before there is a sync */
export const changeRecord = (change: BlueprintChange, course_id: number, origin: string, exceptions?: readonly Exceptions[]) => ({
  asset_id: change.id,
  asset_type: change.is_announcement ? 'announcement' : (assetTypes[change.kind] ?? change.kind),
  asset_name: change.name,
  change_type: change.type,
  html_url: `${origin}/courses/${course_id}${paths[change.kind]?.(change) ?? ''}`,
  locked: change.locked,
  ...(exceptions && {
    exceptions: exceptions.flatMap(({ course_id: there, conflicts }) => {
      const found = conflicts.find(({ kind, id }) => kind === change.kind && id === change.id);
      return found ? [{ course_id: there, conflicting_changes: [...found.changes] }] : [];
    }),
  }),
});
