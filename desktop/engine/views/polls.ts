// Polls that are open in the user's courses. What they ask is requested when one is opened, because polls are short.

import type { OpenPoll, PollView } from '../../contract/polls';
import { place } from '../model/places';
import { studiesIn } from '../model/teaching';
import type { Session } from '../server/session';
import type { Cache } from '../store/cache';

interface Here {
  readonly cache: Cache;
  readonly session: Session;
  readonly signedIn: { readonly user_id: number };
}

interface PollSessionJson {
  readonly id: number;
  readonly poll_id: number;
  readonly course_id: number;
  readonly is_published?: boolean;
  readonly has_submitted?: boolean;
  readonly poll_submissions?: readonly { readonly id: number; readonly poll_choice_id: number; readonly user_id: number }[];
  readonly has_public_results?: boolean;
  /** Choice id to the number of votes. */
  readonly results?: Readonly<Record<string, number>>;
}

/** The newest first. */
export const openPolls = ({ cache, signedIn }: Pick<Here, 'cache' | 'signedIn'>): OpenPoll[] =>
  cache
    .all<PollSessionJson>('poll_session')
    .filter(({ course_id, is_published }) => is_published && studiesIn(cache, course_id, signedIn.user_id))
    .sort((a, b) => b.id - a.id)
    .map(({ id, course_id, has_submitted }) => ({
      id,
      course_id,
      course_name: place(cache, course_id)?.name ?? '',
      has_voted: has_submitted ?? false,
    }));

/** Null for a poll that is closed. @throws Offline */
export async function pollView({ cache, session, signedIn }: Here, id: number): Promise<PollView | null> {
  const open = cache.get<PollSessionJson>('poll_session', id);
  if (!open) return null;
  const address = `/api/v1/polls/${open.poll_id}`;
  const [{ polls = [] }, { poll_choices = [] }] = await Promise.all([
    session.json<{ polls?: readonly { question: string }[] }>(address),
    session.json<{ poll_choices?: readonly { id: number; text: string; position?: number }[] }>(`${address}/poll_choices?per_page=100`),
  ]);
  const showsResults = open.has_public_results === true;
  return {
    id,
    question: polls[0]?.question ?? '',
    choices: [...poll_choices]
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || a.id - b.id)
      .map((choice) => ({ id: choice.id, text: choice.text, votes: showsResults ? (open.results?.[choice.id] ?? 0) : null })),
    chosen: open.poll_submissions?.find(({ user_id }) => user_id === signedIn.user_id)?.poll_choice_id ?? null,
  };
}

/** Votes, and stores the session as it is then. @throws Declined for a poll that is closed, or Offline */
export async function vote({ cache, session }: Here, id: number, choice: number): Promise<void> {
  const open = cache.get<PollSessionJson>('poll_session', id);
  if (!open) return;
  const address = `/api/v1/polls/${open.poll_id}/poll_sessions/${id}`;
  await session.json(`${address}/poll_submissions`, { method: 'POST', json: { poll_submissions: [{ poll_choice_id: choice }] } });
  const { poll_sessions = [] } = await session.json<{ poll_sessions?: readonly PollSessionJson[] }>(address);
  const [now] = poll_sessions;
  if (now) cache.put('poll_session', id, { ...now }, open.course_id);
}
