// Which parts of the screen show items of a kind, and are redrawn when the server has changed one.

import type { Kind } from '@carrel/shared/sync/protocol';
import type { ChangedArea } from '../../contract/channels';

const shownIn: Partial<Record<Kind, readonly ChangedArea[]>> = {
  course: ['courses', 'planner', 'files', 'announcements'],
  assignment: ['planner', 'courses'],
  submission: ['planner', 'courses'],
  quiz: ['courses'],
  quiz_submission: ['courses', 'planner'],
  group: ['courses', 'files', 'announcements'],
  module: ['courses'],
  page: ['courses', 'planner'],
  discussion_topic: ['announcements', 'courses', 'planner'],
  calendar_event: ['planner'],
  planner_note: ['planner'],
  planner_override: ['planner'],
  conversation: ['inbox'],
  account_notification: ['announcements'],
  assignment_group: ['courses'],
  enrollment: ['courses'],
  folder: ['files'],
  file: ['files', 'courses'],
};

export const changedAreasOf = (kinds: ReadonlySet<Kind>): ChangedArea[] => [...new Set([...kinds].flatMap((kind) => shownIn[kind] ?? []))];
