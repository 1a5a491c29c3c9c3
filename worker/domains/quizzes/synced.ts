// A quiz in the feed: its settings, dates and locks, but none of its questions.

import { and, sql } from 'drizzle-orm';
import { rows } from '../../http/listing';
import type { Serializer } from '../../http/serializer';
import { homeByCourse, listedInCourse, type SyncedKind } from '../../rules/synced_kind';
import { type QuizInLists, quiz } from './json';
import { listsQuizzes, visibleQuizzes } from './policy';
import { quizzes } from './table';

/** Each new section would change every quiz of its course, so the feed has no number of sections. */
const quizInFeed: Serializer<QuizInLists, (typeof quiz)['resource']> = {
  ...quiz,
  json: (row, call, found) => ({ ...quiz.json(row, call, found), section_count: undefined }),
};

export const quizSynced: SyncedKind = {
  kind: 'quiz',
  serializer: quizInFeed,
  home: homeByCourse('quizzes'),
  listing: listedInCourse((course, call) =>
    rows(quizzes, { where: and(visibleQuizzes(course, call), listsQuizzes(course) ? undefined : sql`0`) }),
  ),
};
