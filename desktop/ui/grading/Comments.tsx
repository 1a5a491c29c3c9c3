// The comments on a student's work, and the field for a new one.

import type { GradingComment } from '../../contract/gradebook.ts';
import { moment } from '../../language/dates.ts';
import { langOf } from '../../language/guess_language.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { FileNames } from '../outbox/DraftList.tsx';
import { UnsentNote } from '../parts/UnsentNote.tsx';
import { ReplyForm } from '../reader/ReplyForm.tsx';
import type { GradingPlace } from './useGrading.ts';

export const CommentList = ({ of }: { of: readonly GradingComment[] }) =>
  of.length === 0 ? (
    <p className="soft">{t('grading.noComments')}</p>
  ) : (
    <ol className="messages grading-comments">
      {of.map(({ id, author, is_mine, text, created_at, files, unsent }) => (
        <li key={id ?? unsent?.id ?? text} className="message" data-mine={is_mine}>
          <p className="message-from">
            <b>
              <bdi>{is_mine ? t('you') : (author ?? t('somebody'))}</bdi>
            </b>{' '}
            {created_at && <time dateTime={created_at}>{moment(created_at)}</time>}
          </p>
          <p className="message-text plain-text" lang={langOf(text)}>
            {text}
          </p>
          <FileNames of={files} />
          {unsent && <UnsentNote unsent={unsent} />}
        </li>
      ))}
    </ol>
  );

interface Given {
  readonly at: GradingPlace;
  readonly isOpen?: boolean;
  readonly onSent?: () => void;
}

export function CommentForm({ at, isOpen, onSent }: Given) {
  const { course_id, assignment_id, user_id } = at;
  const place = { kind: 'comment', course_id, assignment_id, user_id } as const;
  return (
    <ReplyForm
      key={user_id}
      label={t('grading.newComment')}
      place={place}
      isOpen={isOpen}
      takes="none"
      onSend={async ({ text }) => {
        await call('gradebook.enter', { course_id, assignment_id, entries: [{ user_id, comment: text }], finished: place });
        onSent?.();
      }}
    />
  );
}
