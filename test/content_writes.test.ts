// Every write to content that a blueprint can lock: `locked` when it obeys the locks, else the reason why it does not. A write that is not listed fails.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockable } from '@carrel/worker/database/triggers/blueprint_sources';
import { expect, test } from 'vitest';

const fresh = 'a new row is no copy of a blueprint item';
const copies = 'copies and syncs overwrite locked content';
const derived = 'writes no column that a lock protects';
const scheduled = 'publishes what a user has scheduled';
const other = 'another table';
const staging = 'a staging course is no copy of a blueprint';

/** In the order of each file. */
const archives = 'archives of exports, which belong to no course';
const listed: Readonly<Record<string, readonly string[]>> = {
  'database/copy_row.ts': [fresh],
  'database/many_rows.ts': [other, other],
  'database/retention.ts': [other],
  'domains/account_notifications/routes.ts': [other, other, other],
  'domains/assignment_groups/routes.ts': ['locked', 'locked'],
  'domains/assignments/dates/bulk.ts': ['locked'],
  'domains/assignments/writes.ts': [derived, fresh, 'locked', 'locked', fresh],
  'domains/audit/archive.ts': [other],
  'domains/calendar_events/routes.ts': ['locked'],
  'domains/content_licenses/routes.ts': ['locked', derived],
  'domains/content_migrations/cartridge/forget_staging.ts': [staging, staging],
  'domains/content_migrations/cartridge/import_cartridge.ts': [derived],
  'domains/content_migrations/cartridge/stage_files.ts': [staging],
  'domains/content_migrations/cartridge/stage_links.ts': [staging],
  'domains/content_migrations/cartridge/staging.ts': [staging],
  'domains/content_migrations/dates/dates_step.ts': [copies],
  'domains/content_migrations/expire.ts': ['packages belong to an account'],
  'domains/content_migrations/exported_package.ts': ['packages belong to an account'],
  'domains/content_migrations/placing.ts': [copies],
  'domains/content_migrations/qti/write_quizzes.ts': [
    fresh,
    'the assignment of a new quiz',
    fresh,
    'replaces a quiz that was imported',
    'replaces the assignment of such a quiz',
  ],
  'domains/content_migrations/work.ts': ['files that did not appear yet'],
  'domains/content_migrations/zip/unzip.ts': [fresh, fresh, fresh],
  'domains/course_assignments/assigned_quiz.ts': [fresh],
  'domains/course_copy/step_statements.ts': [copies, copies, copies],
  'domains/course_copy/texts.ts': [copies],
  'domains/discussion_topics/attachments.ts': [fresh],
  'domains/discussion_topics/entries/posting.ts': [derived],
  'domains/discussion_topics/reorder.ts': [derived],
  'domains/discussion_topics/writes.ts': [derived, fresh, 'locked', 'locked', scheduled],
  'domains/eportfolios/editing.ts': [other, other, other, other, other],
  'domains/external_feeds/job.ts': [fresh, 'announcements of a feed are no copies of blueprint items'],
  'domains/files/change.ts': [derived, 'locked', 'locked', 'locked'],
  'domains/files/folders/change.ts': ['locked'],
  'domains/files/folders/copy_file.ts': [fresh, fresh],
  'domains/files/routes.ts': [derived],
  'domains/files/upload/complete.ts': ['locked', derived, derived, fresh],
  'domains/files/upload/job.ts': [fresh],
  'domains/files/upload/ticket.ts': [fresh],
  'domains/files/version_routes.ts': [derived, 'locked'],
  'domains/content_exports/forget.ts': [archives, archives],
  'domains/epub_exports/job.ts': [archives, archives],
  'domains/gradebook_csv/exports/file.ts': ['personal files', 'personal files', 'personal files'],
  'domains/modules/duplicate.ts': [fresh, fresh],
  'domains/modules/items/changes.ts': ['locked', 'locked', 'locked'],
  'domains/modules/publishing.ts': Array.from({ length: 8 }, () => 'locked'),
  'domains/notification_preferences/routes.ts': [other],
  'domains/pages/routes.ts': ['locked'],
  'domains/quizzes/counts.ts': ['locked', 'locked'],
  'domains/quizzes/writes.ts': [fresh, 'locked', 'locked'],
  'domains/reports/routes.ts': ['the file of a report belongs to an account'],
  'domains/rubrics/associations/writes.ts': ['locked'],
  'domains/sis_imports/files/kept_files.ts': [fresh],
  'domains/sis_imports/forget.ts': [other, 'the files of an import belong to an account'],
  'domains/sis_imports/restore.ts': [other],
  'domains/sis_imports/rows/changed_sis_ids.ts': [other],
  'domains/sync/uploads/complete.ts': [fresh],
  'domains/submissions/posting/posting.ts': [derived],
  'domains/user_merges/files.ts': ['personal files', 'personal files'],
  'domains/user_merges/passing.ts': [derived],
  'domains/user_merges/submissions.ts': [other, other, other],
  'http/conditional.ts': [derived],
  'rules/authored_content.ts': ['sets what no row may have, so that it breaks the batch or changes nothing'],
  // The rules themselves: the refusal, the update after it, and the write of a follower.
  'rules/blueprint_locks.ts': [other, 'the update that the refusal precedes'],
  'rules/graded_quizzes.ts': ['locked', 'locked'],
  'rules/graded_topics.ts': [copies, 'locked', 'locked', 'locked', 'locked'],
  'rules/pages/rows.ts': [derived, fresh, 'locked', scheduled],
};

const tables = lockable.map(({ table }) => table).join('|');
/** Checked writes, writes of the query builder, and SQL. A table in a variable may be any. */
const writes = new RegExp(
  [
    String.raw`(?<locked>(?<!function |const )\b(?:changeUnlocked|changeAssignments|changeTopics|removeAssignments) ?\()`,
    String.raw`\. ?(?:insert|update|delete)\( ?(?:${tables}|table)\b`,
    String.raw`\bcopyRow\( ?\w+, (?:${tables})\b`,
    String.raw`\b(?:update(?: or \w+)?|(?:insert|replace)(?: or \w+)? into|delete from) (?:(?:${tables})\b|\$\{)`,
  ].join('|'),
  'g',
);

const root = join(import.meta.dirname, '../worker');
const texts = new Map(
  ['http', 'rules', 'contexts', 'database', 'domains', 'live', 'site', '.']
    .flatMap((folder) => globSync(folder === '.' ? '*.ts' : `${folder}/**/*.ts`, { cwd: root }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('database/triggers/'))
    // A call may be broken into lines anywhere.
    .map((file) => [file, readFileSync(join(root, file), 'utf8').replace(/\s+/g, ' ')]),
);

test('every write to content that a blueprint can lock is listed, and obeys the locks or says why not', () => {
  const found = [...texts].flatMap(([file, text]) => {
    const all = [...text.matchAll(writes)].map(({ groups }) => (groups?.locked ? 'locked' : 'free'));
    return all.length === 0 ? [] : [[file, all] as const];
  });
  const expected = Object.entries(listed).map(([file, all]) => [file, all.map((one) => (one === 'locked' ? 'locked' : 'free'))]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

test('assignments and topics are updated only by the functions that keep graded discussions in step', () => {
  const past = [...texts].filter(
    ([file, text]) => file !== 'rules/graded_topics.ts' && /changeUnlocked\( ?[\w.]+, (?:assignments|discussion_topics)\b/.test(text),
  );
  expect(past.map(([file]) => file)).toEqual([]);
});
