// What clients see of polls (reference of the API: Polls).

import { bool, int, json, listOf, maybe, optional, text, time } from '../wire/fields';
import { resource } from './resource';

export const Poll = resource('Poll', {
  id: int,
  question: text,
  description: maybe(text),
  user_id: int,
  created_at: time,
  /** Choice id to the number of answers in all sessions; for the owner. */
  total_results: optional(json),
});

export const PollChoice = resource('PollChoice', {
  id: int,
  poll_id: int,
  text,
  position: int,
  /** For the owner, and for participants once the session in which they answered last is closed. */
  is_correct: optional(bool),
});

export const PollSubmission = resource('PollSubmission', { id: int, poll_choice_id: int, user_id: int, created_at: time });

export const PollSession = resource('PollSession', {
  id: int,
  poll_id: int,
  course_id: int,
  course_section_id: maybe(int),
  is_published: bool,
  created_at: time,
  has_submitted: bool,
  /** All answers for the owner and where results are public; otherwise the caller's own. */
  poll_submissions: listOf(PollSubmission.field),
  has_public_results: optional(bool),
  /** Choice id to the number of answers. */
  results: optional(json),
});
