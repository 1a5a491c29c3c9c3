// Sessions of polls and their answers as clients see them: everyone's for the owner and where results are public, otherwise only the caller's own.

import { PollSession, PollSubmission } from '@carrel/shared/resources/poll';
import { cut } from '@carrel/shared/resources/resource';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { ascending, type RowOf, rows } from '../../../http/listing';
import { embed, serializer } from '../../../http/serializer';
import { when } from '../../../http/when';
import { poll_sessions, poll_submissions } from '../table';
import { type Counted, countChoices } from './count_choices';

type SubmissionRow = RowOf<typeof poll_submissions>;
type SessionRow = RowOf<typeof poll_sessions> & { readonly owner_id: number };

export const pollSubmission = serializer({ resource: PollSubmission, table: poll_submissions, json: (row: SubmissionRow) => ({ ...row }) });

/** The answers in these sessions that the caller may see. */
const answersSeen = (ids: SQL, { me }: Pick<Call, 'me'>) =>
  rows(poll_submissions, {
    from: poll_sessions,
    join: (select) =>
      select.innerJoin(
        poll_submissions,
        sql`poll_submissions.poll_session_id = poll_sessions.id and (poll_sessions.has_public_results = 1 or poll_submissions.user_id = ${shared('user', me.id)}
          or (select owned.user_id from polls owned where owned.id = poll_sessions.poll_id) = ${shared('user', me.id)})`,
      ),
    where: sql`${poll_sessions.id} in (${ids})`,
    order: ascending(poll_submissions.id),
  });

export const pollSession = serializer({
  resource: PollSession,
  table: poll_sessions,
  columns: (): Record<string, SQLWrapper> => ({
    owner_id: sql`(select owned.user_id from polls owned where owned.id = poll_sessions.poll_id)`.as('owner_id'),
  }),
  also: (ids, call) => ({ answers: embed(pollSubmission, answersSeen(ids, call)) }),
  json(row: SessionRow, { me }, { answers }) {
    const here = answers.filter((one) => one.row.poll_session_id === row.id);
    const seesResults = row.owner_id === me.id || row.has_public_results;
    return {
      ...row,
      has_submitted: here.some((one) => one.row.user_id === me.id),
      poll_submissions: here.map(({ json }) => cut(PollSubmission, json)),
      has_public_results: when(seesResults, row.has_public_results),
      results: when(seesResults, countChoices(here.map((one): Counted => one.row))),
    };
  },
});
