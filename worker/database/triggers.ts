// Every trigger of the database as statements, and the search tables that only triggers write.

import { assignmentPlaceTriggers } from './triggers/assignment_places.ts';
import { blueprintTriggers } from './triggers/blueprints.ts';
import { changeTriggers } from './triggers/changes.ts';
import { copyTriggers } from './triggers/copies.ts';
import { countTriggers } from './triggers/counts.ts';
import { courseEventTriggers } from './triggers/course_events.ts';
import { courseWordTriggers } from './triggers/course_words.ts';
import { discussionViewTriggers } from './triggers/discussion_views.ts';
import { fileVersionTriggers } from './triggers/file_versions.ts';
import { gradingTriggers } from './triggers/grading.ts';
import { groupTopicTriggers } from './triggers/group_topics.ts';
import { groupTriggers } from './triggers/groups.ts';
import { happeningTriggers } from './triggers/happenings.ts';
import { markTriggers } from './triggers/log_marks.ts';
import { itemTriggers } from './triggers/module_items.ts';
import { momentTriggers } from './triggers/moments.ts';
import { rosterCountTriggers } from './triggers/roster_counts.ts';
import { searchTriggers } from './triggers/search.ts';
import { selfRegistrationTriggers } from './triggers/self_registration.ts';
import { sessionTriggers } from './triggers/sessions.ts';
import { stickyTriggers } from './triggers/sticky.ts';
import { versionTriggers } from './triggers/versions.ts';

export const triggers = (): readonly string[] => [
  ...changeTriggers(),
  ...markTriggers,
  ...momentTriggers(),
  ...copyTriggers,
  ...assignmentPlaceTriggers,
  ...rosterCountTriggers,
  ...searchTriggers,
  ...courseWordTriggers,
  ...countTriggers,
  ...itemTriggers,
  ...gradingTriggers,
  ...happeningTriggers,
  ...sessionTriggers,
  ...stickyTriggers(),
  ...selfRegistrationTriggers,
  ...courseEventTriggers,
  ...groupTriggers,
  ...groupTopicTriggers,
  ...discussionViewTriggers,
  ...blueprintTriggers,
  ...versionTriggers,
  ...fileVersionTriggers,
];
