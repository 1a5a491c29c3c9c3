// Polls and choices as clients see them. Counts and correct answers are for the owner; others learn which choice is correct once the session in which
// they answered last is closed.

import { Poll, PollChoice } from '@carrel/shared/resources/poll';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { poll_choices, polls } from './table';

const countsOf = (ids: SQL, { db }: Pick<Call, 'db'>) =>
  db.build
    .select({ id: poll_choices.id, poll_id: poll_choices.poll_id, chosen: poll_choices.chosen })
    .from(poll_choices)
    .where(isInSelect(poll_choices.poll_id, ids));

export const poll = serializer({
  resource: Poll,
  table: polls,
  also: (ids, call) => ({ counts: countsOf(ids, call) }),
  json: (row: RowOf<typeof polls>, { me }, { counts }) => ({
    ...row,
    total_results: when(
      row.user_id === me.id,
      Object.fromEntries(counts.filter((one) => one.poll_id === row.id && one.chosen > 0).map((one) => [one.id, one.chosen])),
    ),
  }),
});

type ChoiceRow = RowOf<typeof poll_choices> & { readonly owner_id: number; readonly is_answered: number | null };

/** Whether the last session in which the caller answered is closed; null without an answer. */
const isAnswered = ({ me }: Pick<Call, 'me'>): SQL =>
  sql`(select (select last.is_published = 0 from poll_sessions last where last.id = own.poll_session_id) from poll_submissions own
    where own.user_id = ${shared('user', me.id)} and own.poll_id = poll_choices.poll_id order by own.id desc limit 1)`;

export const pollChoice = serializer({
  resource: PollChoice,
  table: poll_choices,
  columns: (call): Record<string, SQLWrapper> => ({
    owner_id: sql`(select owned.user_id from polls owned where owned.id = poll_choices.poll_id)`.as('owner_id'),
    is_answered: isAnswered(call).as('is_answered'),
  }),
  json: (row: ChoiceRow, { me }) => ({
    ...row,
    is_correct: when(row.owner_id === me.id || row.is_answered === 1, row.is_correct),
  }),
});
