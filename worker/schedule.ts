// Scheduled work, once a minute: applies due changes and deletes expired data.

import { wireTime } from '@carrel/shared/wire/fields';
import { forgetKeys, forgetMarks, forgetTombstones } from './database/forget';
import { newMeter, open } from './database/open';
import { passDueDates } from './domains/assignments/lists/position_walk';
import { standingSyncs } from './domains/blueprint_templates/job';
import { writeLetters } from './domains/comm_messages/job';
import { resumeBatches } from './domains/conversations/sending/job';
import { standingCopies } from './domains/course_copy/job';
import { postDueTopics } from './domains/discussion_topics/writes';
import { readDueFeeds } from './domains/external_feeds/job';
import { collectBlobs, forgetVersions } from './domains/files/collect';
import { forgetLetters } from './domains/jobs/bury';
import { forgetBrakes } from './domains/login/brake';
import { forgetResets } from './domains/login/forgotten';
import { forgetSessions } from './domains/login/opening';
import { forgetGrants } from './domains/oauth2/forget';
import { forgetCodes } from './domains/observers/pairing';
import { forgetViews } from './domains/page_views/forget';
import { publishDuePages } from './domains/pages/revise';
import { standingReports } from './domains/reports/job';
import { forgetCounts } from './domains/request_counts/forget';
import { forgetImports } from './domains/sis_imports/forget';
import { resumeImports } from './domains/sis_imports/job';
import { forgetMergedItems, settleMerges } from './domains/user_merges/merge';
import type { Platform } from './platform';
import { resume } from './steps';

/** @param at the scheduled minute */
export async function tick(env: Platform, at: number): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const now = wireTime(at);
  await db.perform([
    ...forgetKeys(db, now),
    ...forgetTombstones(db, now),
    ...forgetMarks(db, now),
    ...forgetVersions(db, now),
    ...forgetBrakes(db, now),
    ...forgetSessions(db, now),
    ...forgetResets(db, now),
    ...forgetCodes(db, now),
    ...forgetMergedItems(db, now),
    ...forgetGrants(db, now),
    ...forgetViews(db, now),
    ...passDueDates(db, now),
    ...publishDuePages(db, now),
    ...postDueTopics(db, now),
    ...forgetImports(db, now),
    ...forgetLetters(db, now),
    ...forgetCounts(db, now),
  ]);
  await settleMerges(db, now);
  await resumeBatches(env, db, now);
  await resumeImports(env, db, now);
  await resume([standingReports, standingCopies, standingSyncs], env, db, now);
  await readDueFeeds(env, db, now);
  await collectBlobs(env, db, now);
  await writeLetters(env, db, now);
}
