// Students of a quiz, each with what they have done there.

import { QuizTaker } from '@carrel/shared/resources/quiz_submission';
import { and, eq } from 'drizzle-orm';
import { isInSelect } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { embed, type Serializer, serializer } from '../../../http/serializer';
import { shownUser } from '../../users/json';
import { users } from '../../users/table';
import { type QuizSubmissionRow, quizSubmission } from '../json';
import { quiz_submissions } from '../table';

interface TakerRow {
  readonly id: number;
}

type Shown = Parameters<typeof shownUser.json>;

export const quizTaker: Serializer<TakerRow> = serializer({
  resource: QuizTaker,
  table: users,
  columns: (call) => shownUser.columns?.(call) ?? {},
  also: (ids, call: Call) => ({
    ...shownUser.also?.(ids, call),
    taken: call.include.has('quiz_submissions')
      ? embed(
          quizSubmission,
          rows(quiz_submissions, {
            where: and(eq(quiz_submissions.quiz_id, Number(call.path.quiz_id)), isInSelect(quiz_submissions.user_id, ids)),
          }),
        )
      : undefined,
  }),
  json(row: TakerRow, call, found) {
    const { taken, ...besides } = found as {
      readonly taken?: readonly { readonly row: QuizSubmissionRow; readonly json: object }[];
    };
    const its = taken?.find((one) => one.row.user_id === row.id);
    return { ...shownUser.json(row as Shown[0], call, besides as Shown[2]), quiz_submission: its?.json };
  },
});

type Listed = { readonly quiz_submission?: { readonly id: number } };

/** The body of the list: quiz submissions are beside the users, who have their ids. */
export const quizTakersBody =
  ({ include }: { readonly include: ReadonlySet<string> }) =>
  (page: readonly unknown[]): object => {
    const listed = page as readonly Listed[];
    return {
      users: listed.map(({ quiz_submission, ...user }) =>
        include.has('quiz_submissions') ? { ...user, quiz_submission_id: quiz_submission?.id ?? null } : user,
      ),
      ...(include.has('quiz_submissions') && { quiz_submissions: listed.flatMap((one) => one.quiz_submission ?? []) }),
    };
  };
