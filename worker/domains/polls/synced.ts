// The poll sessions of a course that are open to the caller, in the feed: with their own answers, or everyone's where results are public.

import { and, eq } from 'drizzle-orm';
import { rows } from '../../http/listing';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { sessionsOfMine } from './policy';
import { pollSession } from './sessions/json';
import { poll_sessions } from './table';

export const pollSessionSynced: SyncedKind = {
  kind: 'poll_session',
  serializer: pollSession,
  home: homeByCourse('poll_sessions'),
  listing: listedInCourse((course, call) =>
    rows(poll_sessions, { where: and(eq(poll_sessions.course_id, course.id), sessionsOfMine(call, true)) }),
  ),
};
