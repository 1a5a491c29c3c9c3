// Polls of users, their choices, the sessions in which courses answer them, and the answers.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, id, int, string, time } from '../../database/columns';

export const polls = sqliteTable(
  'polls',
  {
    id: id(),
    user_id: int().notNull(),
    question: string().notNull(),
    description: string(),
    ...created(),
  },
  (poll) => [index('polls_of_user').on(poll.user_id, poll.id)],
);

export const poll_choices = sqliteTable(
  'poll_choices',
  {
    id: id(),
    poll_id: int().notNull(),
    text: string().notNull(),
    is_correct: bool().notNull().default(false),
    position: int().notNull(),
    /** How many submissions of all sessions have chosen it. */
    chosen: int().notNull().default(0),
    ...created(),
  },
  (choice) => [index('poll_choices_of_poll').on(choice.poll_id, choice.position, choice.id)],
);

export const poll_sessions = sqliteTable(
  'poll_sessions',
  {
    id: id(),
    poll_id: int().notNull(),
    course_id: int().notNull(),
    /** Null for the whole course. */
    course_section_id: int(),
    is_published: bool().notNull().default(false),
    has_public_results: bool().notNull().default(false),
    /** When it was first opened: until then only the owner of the poll knows of it. */
    opened_at: time(),
    ...created(),
  },
  (session) => [
    index('poll_sessions_of_poll').on(session.poll_id, session.id),
    index('poll_sessions_of_course').on(session.course_id, session.is_published, session.id),
  ],
);

export const poll_submissions = sqliteTable(
  'poll_submissions',
  {
    id: id(),
    poll_id: int().notNull(),
    poll_session_id: int().notNull(),
    poll_choice_id: int().notNull(),
    user_id: int().notNull(),
    created_at: time().notNull(),
  },
  (submission) => [
    uniqueIndex('poll_submissions_once').on(submission.poll_session_id, submission.user_id),
    index('poll_submissions_of_user').on(submission.user_id, submission.poll_id, submission.id),
  ],
);
