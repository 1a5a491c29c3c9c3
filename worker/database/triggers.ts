// Every trigger of the database as statements, and the search tables that only triggers write.

import { accountTreeTriggers } from './triggers/account_tree.ts';
import { anonymousGradingTriggers } from './triggers/anonymous_grading.ts';
import { assignmentPlaceTriggers } from './triggers/assignment_places.ts';
import { blueprintTriggers } from './triggers/blueprints.ts';
import { changeTriggers } from './triggers/changes.ts';
import { copyTriggers } from './triggers/copies.ts';
import { countTriggers } from './triggers/counts.ts';
import { courseEventTriggers } from './triggers/course_events.ts';
import { courseScoreTriggers } from './triggers/course_scores.ts';
import { courseStudentTriggers } from './triggers/course_students.ts';
import { courseWordTriggers } from './triggers/course_words.ts';
import { discussionViewTriggers } from './triggers/discussion_views.ts';
import { fileVersionTriggers } from './triggers/file_versions.ts';
import { gradeChangeTriggers } from './triggers/grade_changes.ts';
import { gradingPeriodTriggers } from './triggers/grading_periods.ts';
import { groupTopicTriggers } from './triggers/group_topics.ts';
import { groupTriggers } from './triggers/groups.ts';
import { latePolicyTriggers } from './triggers/late_policies.ts';
import { markTriggers } from './triggers/log_marks.ts';
import { itemTriggers } from './triggers/module_items.ts';
import { nameKeyTriggers } from './triggers/name_keys.ts';
import { outcomeTriggers } from './triggers/outcomes.ts';
import { peerReviewTriggers } from './triggers/peer_reviews.ts';
import { postPolicyTriggers } from './triggers/post_policies.ts';
import { quizTriggers } from './triggers/quizzes.ts';
import { recordingTriggers } from './triggers/recordings.ts';
import { redoRequestTriggers } from './triggers/redo_requests.ts';
import { rosterCountTriggers } from './triggers/roster_counts.ts';
import { scheduleTriggers } from './triggers/scheduled_changes.ts';
import { searchTriggers } from './triggers/search.ts';
import { selfRegistrationTriggers } from './triggers/self_registration.ts';
import { sessionTriggers } from './triggers/sessions.ts';
import { stickyTriggers } from './triggers/sticky.ts';
import type { Trigger } from './triggers/trigger.ts';
import { versionTriggers } from './triggers/versions.ts';
import { webhookTriggers } from './triggers/webhooks.ts';

export interface TriggerFile {
  /** In `worker/database/triggers`. */
  readonly file: string;
  readonly triggers: readonly Trigger[];
  /** Why it is a trigger. */
  readonly because: string;
}

const cascades =
  'Many writes have these consequences (routes, imports, merges, jobs), and a batch would have to read the affected rows first.';

export const triggerFiles: readonly TriggerFile[] = [
  {
    file: 'changes.ts',
    triggers: changeTriggers,
    because: 'Derived: the change log must contain every change, whichever statement makes it, in the same transaction.',
  },
  { file: 'log_marks.ts', triggers: markTriggers, because: 'Derived from the change log, which triggers write.' },
  {
    file: 'scheduled_changes.ts',
    triggers: scheduleTriggers,
    because: 'Derived: the times at which an item changes without a write, such as its unlock date.',
  },
  { file: 'account_tree.ts', triggers: accountTreeTriggers, because: 'Derived: pairs of accounts and their ancestors, and counters.' },
  {
    file: 'copies.ts',
    triggers: copyTriggers,
    because: 'Derived: sort keys copied to the table that a list reads, so that one index has its order.',
  },
  {
    file: 'name_keys.ts',
    triggers: nameKeyTriggers,
    because:
      'Derived: many writes name users (routes, SIS imports, logins, tools), and lists of people are sorted by a key of the name; so are assignments.',
  },
  {
    file: 'assignment_places.ts',
    triggers: assignmentPlaceTriggers,
    because: 'Derived: the sort keys of assignment lists filtered by bucket.',
  },
  {
    file: 'late_policies.ts',
    triggers: latePolicyTriggers,
    because:
      'Derived: many writes move due dates (routes, bulk updates, overrides, groups, blueprints, course copies), and each may make a submission late.',
  },
  {
    file: 'post_policies.ts',
    triggers: postPolicyTriggers,
    because:
      'Derived: whether grades stay hidden depends on the assignment and its course, and every statement that shows a grade reads it.',
  },
  {
    file: 'redo_requests.ts',
    triggers: redoRequestTriggers,
    because: 'Derived: assignments, quizzes, discussions and merges write attempts, and each ends the request for one.',
  },
  {
    file: 'anonymous_grading.ts',
    triggers: anonymousGradingTriggers,
    because: 'Derived: many writes create or hide submissions, and every statement that shows one reads whether its student is anonymous.',
  },
  {
    file: 'quizzes.ts',
    triggers: quizTriggers,
    because:
      'Derived: many writes change assignments (routes, bulk updates, publishing of modules, copies), and a graded quiz has the same dates and state.',
  },
  {
    file: 'outcomes.ts',
    triggers: outcomeTriggers,
    because: 'Derived: many writes change rubrics and assessments (routes, grading, moderation, imports), and each may be about outcomes.',
  },
  {
    file: 'peer_reviews.ts',
    triggers: peerReviewTriggers,
    because: 'Derived: the assignments whose automatic peer reviews are to be assigned.',
  },
  { file: 'roster_counts.ts', triggers: rosterCountTriggers, because: 'Derived: counters of members.' },
  {
    file: 'course_students.ts',
    triggers: courseStudentTriggers,
    because: 'Derived: the students of a course, with sort keys of analytics.',
  },
  { file: 'search.ts', triggers: searchTriggers, because: 'Derived: the search index.' },
  {
    file: 'course_scores.ts',
    triggers: courseScoreTriggers,
    because: 'Derived: which stored scores are no longer current, whichever statement has changed what they are computed from.',
  },
  { file: 'course_words.ts', triggers: courseWordTriggers, because: 'Derived: the search index of a course.' },
  { file: 'counts.ts', triggers: countTriggers, because: 'Derived: counters.' },
  { file: 'module_items.ts', triggers: itemTriggers, because: 'Derived: the title and state that a module item copies from its content.' },
  {
    file: 'sessions.ts',
    triggers: sessionTriggers,
    because: 'Security: no write may leave a session open after its login was closed or its password changed.',
  },
  {
    file: 'sticky.ts',
    triggers: stickyTriggers,
    because: 'Derived from the difference between the old and the new row, which only a trigger has.',
  },
  { file: 'self_registration.ts', triggers: selfRegistrationTriggers, because: 'Derived: a copied setting.' },
  {
    file: 'course_events.ts',
    triggers: courseEventTriggers,
    because: 'Derived: an audit log of the differences between the old and the new row, which no write may omit.',
  },
  {
    file: 'grade_changes.ts',
    triggers: gradeChangeTriggers,
    because: 'Derived: an audit log of the differences between the old and the new row, which no write may omit.',
  },
  {
    file: 'grading_periods.ts',
    triggers: gradingPeriodTriggers,
    because: 'Derived: the version that stored scores and the feed compare.',
  },
  { file: 'groups.ts', triggers: groupTriggers, because: cascades },
  {
    file: 'group_topics.ts',
    triggers: groupTopicTriggers,
    because:
      'Derived: the topic of a group is a copy of the course topic. Topics, groups, group sets, course copies and SIS imports all change it, and a batch that creates groups does not know their ids.',
  },
  {
    file: 'discussion_views.ts',
    triggers: discussionViewTriggers,
    because: 'Derived: the entries that have changed since a view was stored.',
  },
  {
    file: 'blueprints.ts',
    triggers: blueprintTriggers,
    because: 'Derived: what has changed since the last sync, on both sides, from the difference between the old and the new row.',
  },
  { file: 'versions.ts', triggers: versionTriggers, because: 'Derived: the version that conditional writes compare.' },
  {
    file: 'file_versions.ts',
    triggers: fileVersionTriggers,
    because: 'Derived: the earlier versions of files. No write may lose bytes.',
  },
  {
    file: 'recordings.ts',
    triggers: recordingTriggers,
    because: 'Requests, course copies and imports copy files, and do not know the ids of the copies.',
  },
  {
    file: 'webhooks.ts',
    triggers: webhookTriggers,
    because:
      'An event must be recorded in the transaction of its change, whichever statement makes it, and only where someone subscribes to it.',
  },
];

export const triggers: readonly Trigger[] = triggerFiles.flatMap((file) => file.triggers);
