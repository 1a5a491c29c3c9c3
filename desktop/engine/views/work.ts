// The user's own work for an assignment: the draft, what is unsent, and what the server has, with its receipts.

import type { WorkDraft, WorkView } from '../../contract/work';
import type { QuizJson } from '../model/quiz_resources';
import type { AssignmentJson } from '../model/resources';
import { roleIn } from '../model/teaching';
import { submissionOf } from '../outbox/hand_in';
import type { SubmittedWork } from '../outbox/intents';
import { attemptsAllowed, holdOn, workTypesOf } from '../outbox/may_hand_in';
import type { Outbox } from '../outbox/outbox';
import { type Receipt, receiptsOf } from '../outbox/receipts';
import { draftAt } from '../outbox/work_drafts';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { isLost } from '../sync/lost_work';
import { pageOnServer } from './on_server';

interface Here {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly outbox: Outbox;
  readonly signedIn: { readonly user_id: number };
}

const shown = ({ type, text, url, files }: SubmittedWork): WorkDraft => ({
  type,
  text,
  url,
  files: files.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
});

/** Null if nothing can be handed in through the desk. */
export function workView({ cache, user, outbox, signedIn }: Here, course_id: number, id: number): WorkView | null {
  const assignment = cache.get<AssignmentJson>('assignment', id);
  const role = roleIn(cache, course_id, signedIn.user_id);
  // Observers see the work of a student with the assignment, and hand in nothing.
  if (role === 'observes') return null;
  const types = assignment && role === 'studies' ? workTypesOf(assignment) : [];
  const draft = draftAt(user, id);
  const sent = outbox.pending().find((intent) => intent.verb === 'hand in' && intent.body.assignment_id === id);
  const receipts = receiptsOf(user, id).map((receipt) => ({
    ...receiptView(receipt),
    ...(isLost(cache, receipt) && { standing: 'lost' as const }),
  }));
  const first = types[0];
  const quiz = role === 'studies' ? quizOf(cache, course_id, id) : undefined;
  const on_server = assignment?.submission_types?.some((type) => elsewhere.has(type)) ? pageOnServer(cache, assignment) : null;
  if (!first && !draft && !sent && receipts.length === 0 && !on_server && !quiz) return null;
  const submission = submissionOf(cache, { course_id, assignment_id: id }, signedIn.user_id);
  const empty = { type: first ?? 'online_text_entry', text: '', url: '', files: [] };
  return {
    types,
    allowed_extensions: assignment?.allowed_extensions ?? [],
    attempts_made: submission?.attempt ?? 0,
    attempts_allowed: assignment ? attemptsAllowed(assignment, submission) : null,
    hold: holdOn(assignment, submission),
    draft: { ...shown(draft ?? empty), changed_at: draft?.changed_at ?? null },
    on_its_way:
      sent?.verb === 'hand in'
        ? {
            ...shown(sent.body),
            unsent: { id: sent.id, refused: sent.state === 'parked' ? (sent.reason ?? '') : null },
            hold: sent.hold,
            since: sent.created_at,
            may_take_back: sent.attempts === 0 || sent.state === 'parked',
          }
        : null,
    receipts,
    ...(quiz && { quiz_id: quiz.id }),
    ...(on_server && !quiz && { on_server }),
  };
}

/** The quiz of an assignment. */
const quizOf = (cache: Cache, course_id: number, assignment_id: number): QuizJson | undefined =>
  cache.ofCourse<QuizJson>('quiz', course_id).find((one) => one.assignment_id === assignment_id);

/** Handed in on the server itself, or in an external tool. */
const elsewhere: ReadonlySet<string> = new Set([
  'online_quiz',
  'external_tool',
  'basic_lti_launch',
  'media_recording',
  'student_annotation',
]);

const receiptView = ({ id, attempt, submitted_at, sha256, standing, token, work: handed }: Receipt) => ({
  ...shown(handed),
  id,
  attempt,
  submitted_at,
  sha256,
  standing,
  token,
});
