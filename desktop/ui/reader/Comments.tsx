// The comments on the submission of the user, or of the student whom they observe.

import type { Reading } from '../../contract/reading.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { ProseText } from '../parts/ProseText.tsx';

export const Comments = ({ of, student }: { of: Reading['comments']; student: Reading['student'] }) =>
  of.length === 0 ? null : (
    <section className="comments" aria-labelledby="comments">
      <h2 id="comments">
        {student === null ? t('comments.title') : t('observing.commentsOn', { name: student || t('observing.theStudent') })}
      </h2>
      <ol className="messages">
        {of.map(({ id, author, mine, at, words }) => (
          <li key={id} className="message" data-mine={mine}>
            <p className="message-from">
              <b>
                <bdi>{mine ? t('you') : (author ?? t('somebody'))}</bdi>
              </b>{' '}
              <time dateTime={at}>{moment(at)}</time>
            </p>
            <ProseText of={words} className="message-text" />
          </li>
        ))}
      </ol>
    </section>
  );
