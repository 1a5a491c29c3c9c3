// One conversation: its messages, oldest first, and the reply form.

import { useEffect } from 'react';
import type { ConversationReading } from '../../contract/conversations.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { rich } from '../parts/rich.ts';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { UnsentNote } from '../parts/UnsentNote.tsx';
import { Attachments } from '../reader/Attachments.tsx';
import { emptyReply, ReplyForm } from '../reader/ReplyForm.tsx';
import { hrefOf } from '../routes.ts';
import { Left } from '../writing/Left.tsx';
import { peopleNames } from './names.ts';
import { Archive, Star } from './order.tsx';

const up = hrefOf({ at: 'inbox', id: null });

export function ConversationPane({ id }: { id: number }) {
  const conversation = useLive('inbox', 'inbox.open', { id });
  const isUnread = !!conversation.value?.unread;
  useEffect(() => {
    if (isUnread) void call('inbox.seen', { id }).catch(() => undefined);
  }, [isUnread, id]);
  return <Shown live={conversation}>{(found) => (found ? <Letters of={found} id={id} /> : <Gone />)}</Shown>;
}

const Gone = () => (
  <>
    <Heading title={t('reader.notHere')} />
    <Blank icon="inbox" title={t('inbox.notKept')}>
      <p>
        <a href={up}>{t('inbox.back')}</a>
      </p>
    </Blank>
  </>
);

function Answer({ id }: { id: number }) {
  const place = { kind: 'letter', id } as const;
  return (
    <ReplyForm
      label={t('inbox.answer')}
      place={place}
      takes="many"
      onSend={({ text, files = [] }) => call('inbox.reply', { id, text, files, finished: place })}
    />
  );
}

const Letters = ({
  of: { starred, archived, subject, people, course_name, messages, missing, can_reply },
  id,
}: {
  of: ConversationReading;
  id: number;
}) => (
  <article className="reader">
    <Heading title={subject ?? t('inbox.noSubject')} above={<Up to={up}>{t('inbox.title')}</Up>}>
      <Star of={{ id, starred, archived }} title={subject ?? t('inbox.noSubject')} />
      <Archive of={{ id, starred, archived }} title={subject ?? t('inbox.noSubject')} />
    </Heading>
    <p className="byline">
      <span>{rich('inbox.with', { people: () => <bdi>{peopleNames(people)}</bdi> })}</span>
      {course_name && <span>{course_name}</span>}
      {archived && <Tag icon="archive">{t('inbox.archived')}</Tag>}
    </p>
    {missing && <p className="thread-note">{t('inbox.missing')}</p>}
    <ol className="messages">
      {messages.map(({ id: messageId, author, mine, at, generated, words, attachments, unsent }) => (
        <li key={unsent?.id ?? messageId} className="message" data-mine={mine} data-generated={generated}>
          <p className="message-from">
            {!generated && (
              <b>
                <bdi>{mine ? t('you') : (author ?? t('somebody'))}</bdi>
              </b>
            )}{' '}
            <time dateTime={at}>{moment(at)}</time>
          </p>
          <div data-stop tabIndex={-1}>
            <ProseText of={words} className="message-text" />
          </div>
          <Attachments of={attachments} />
          {unsent && <UnsentNote unsent={unsent} />}
        </li>
      ))}
    </ol>
    {can_reply ? <Answer id={id} /> : <p className="thread-note">{t('inbox.closed')}</p>}
    {!can_reply && <Left place={{ kind: 'letter', id }} blank={emptyReply} />}
  </article>
);
