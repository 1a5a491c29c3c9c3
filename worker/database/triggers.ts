// Every trigger of the database as statements, and the search tables that only triggers write.

import { accountTreeTriggers } from './triggers/account_tree.ts';
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
import type { Trigger } from './triggers/trigger.ts';
import { versionTriggers } from './triggers/versions.ts';

export interface TriggerFile {
  /** In `worker/database/triggers`. */
  readonly file: string;
  readonly triggers: readonly Trigger[];
  /** Why it is a trigger. */
  readonly because: string;
}

const decides = 'It decides, and is to move to functions that every write calls; until then a trigger is what no write can forget.';
const cascades = 'Many writes end it (routes, imports, merges, jobs), and no batch knows the rows without reading them first.';

export const triggerFiles: readonly TriggerFile[] = [
  {
    file: 'changes.ts',
    triggers: changeTriggers,
    because: 'Derived: the change log must hold every change, whichever statement makes it, in the transaction that makes it.',
  },
  { file: 'log_marks.ts', triggers: markTriggers, because: 'Derived from the change log, which triggers write.' },
  { file: 'moments.ts', triggers: momentTriggers, because: 'Derived: the times at which an item changes by itself, copied from its row.' },
  { file: 'account_tree.ts', triggers: accountTreeTriggers, because: 'Derived: the tree of accounts as pairs, and its counters.' },
  {
    file: 'copies.ts',
    triggers: copyTriggers,
    because: 'Derived: keys copied to the table that a list walks, so that its order is one index.',
  },
  {
    file: 'assignment_places.ts',
    triggers: assignmentPlaceTriggers,
    because: 'Derived: the keys by which buckets of assignments are walked.',
  },
  { file: 'roster_counts.ts', triggers: rosterCountTriggers, because: 'Derived: a counter.' },
  { file: 'search.ts', triggers: searchTriggers, because: 'Derived: words for the search.' },
  { file: 'course_words.ts', triggers: courseWordTriggers, because: 'Derived: words for the search in a course.' },
  { file: 'counts.ts', triggers: countTriggers, because: 'Derived: counters.' },
  { file: 'module_items.ts', triggers: itemTriggers, because: 'Derived: the title and state that a module item copies from its content.' },
  { file: 'grading.ts', triggers: gradingTriggers, because: decides },
  { file: 'happenings.ts', triggers: happeningTriggers, because: decides },
  {
    file: 'sessions.ts',
    triggers: sessionTriggers,
    because: 'Security: no write may leave a session open that its login no longer grants.',
  },
  {
    file: 'sticky.ts',
    triggers: stickyTriggers,
    because: 'Derived from the difference between the old and the new row, which only the database sees.',
  },
  { file: 'self_registration.ts', triggers: selfRegistrationTriggers, because: 'Derived: a copied setting.' },
  {
    file: 'course_events.ts',
    triggers: courseEventTriggers,
    because: 'Derived: an audit log from the difference between the old and the new row; no write may leave it out.',
  },
  { file: 'groups.ts', triggers: groupTriggers, because: cascades },
  { file: 'group_topics.ts', triggers: groupTopicTriggers, because: decides },
  { file: 'discussion_views.ts', triggers: discussionViewTriggers, because: 'Derived: what a stored view lacks.' },
  { file: 'blueprints.ts', triggers: blueprintTriggers, because: decides },
  { file: 'versions.ts', triggers: versionTriggers, because: 'Derived: a counter that conditional writes compare.' },
  {
    file: 'file_versions.ts',
    triggers: fileVersionTriggers,
    because: 'Derived: a history of the rows that are replaced; no write may lose bytes.',
  },
];

export const triggers: readonly Trigger[] = triggerFiles.flatMap((file) => file.triggers);
