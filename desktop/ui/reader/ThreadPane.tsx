// The nested replies of a discussion, and the form for a new one.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { RepliesView, ReplyView } from '../../contract/discussions.ts';
import type { Reference } from '../../contract/reading.ts';
import type { Unfinished, WritingPlace } from '../../contract/writing.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { UnsentNote } from '../parts/UnsentNote.tsx';
import { Left } from '../writing/Left.tsx';
import { Attachments } from './Attachments.tsx';
import { emptyReply, ReplyForm } from './ReplyForm.tsx';
import { useSeen } from './seen.ts';

interface At {
  readonly course_id: number;
  readonly id: number;
}

/** An announcement without replies hides the section when replies are closed. */
export function ThreadPane({ reference: { course_id, id }, isAnnouncement }: { reference: Reference; isAnnouncement: boolean }) {
  const at = { course_id, id };
  const discussion = useLive('courses', 'discussion.open', at);
  return (
    <Shown live={discussion}>
      {(found) => (found === null || (isAnnouncement && found.count === 0 && !found.can_reply) ? null : <Replies found={found} at={at} />)}
    </Shown>
  );
}

const unreadIn = (replies: readonly ReplyView[]): number[] =>
  replies.flatMap(({ id, unread, replies: inner }) => [...(unread ? [id] : []), ...unreadIn(inner)]);

function Replies({ found, at }: { found: RepliesView; at: At }) {
  // Replies that were new when the user opened the discussion stay marked until they leave it.
  const fresh = useRef(new Set<number>());
  for (const id of unreadIn(found.replies)) fresh.current.add(id);
  const seen = useSeen((replies) => void call('discussion.seen', { ...at, replies }).catch(() => undefined));
  // Forms with a draft are open when the user returns.
  const [answering, setAnswering] = useState<number | null>(found.unfinished.find((id) => id !== null) ?? null);
  const form: Around['form'] = (parent_id, more) => {
    const place: WritingPlace = { kind: 'reply', ...at, parent_id };
    const send = async ({ text, files = [] }: Unfinished) => {
      await call('discussion.reply', { ...at, parent_id, text, files, finished: place });
      if (parent_id !== null) setAnswering(null);
    };
    return <ReplyForm key={parent_id} place={place} takes={found.can_attach ? 'one' : 'none'} onSend={send} {...more} />;
  };
  const left = (parent_id: number | null) => <Left key={parent_id} place={{ kind: 'reply', ...at, parent_id }} blank={emptyReply} />;
  const around: Around = { fresh: fresh.current, seen, answering, setAnswering, form, left, found };
  return (
    <section className="thread" aria-labelledby="replies">
      <h2 id="replies">
        {found.count === 0 ? t('replies') : t('replies.count', { count: found.count })}
        {fresh.current.size > 0 && <span className="unread">{t('newCount', { count: fresh.current.size })}</span>}
      </h2>
      {found.write_first && (
        <p className="thread-note">
          <Icon name="lock" />
          {t('replies.writeFirst')}
        </p>
      )}
      {found.missing && <p className="thread-note">{t('replies.missing')}</p>}
      {found.replies.length > 0 ? (
        <List replies={found.replies} depth={0} around={around} />
      ) : (
        found.count === 0 && !found.write_first && <Blank icon="discussion" title={t('replies.none')} />
      )}
      {found.can_reply ? form(null, { label: t('replies.yours') }) : found.unfinished.map((parent_id) => left(parent_id))}
    </section>
  );
}

interface Around {
  readonly fresh: ReadonlySet<number>;
  readonly seen: (element: HTMLElement, id: number) => void;
  readonly answering: number | null;
  readonly setAnswering: (id: number | null) => void;
  readonly form: (
    parent_id: number | null,
    more: { readonly label: string; readonly isOpen?: boolean; readonly onLeave?: () => void },
  ) => ReactNode;
  readonly left: (parent_id: number) => ReactNode;
  readonly found: RepliesView;
}

/** The deepest level that is indented: narrow columns are hard to read. */
const deepest = 3;

const List = ({ replies, depth, around }: { replies: readonly ReplyView[]; depth: number; around: Around }) => (
  <ol className="replies" data-deep={depth >= deepest}>
    {replies.map((reply) => (
      <Reply key={reply.unsent?.id ?? reply.id} reply={reply} depth={depth} around={around} />
    ))}
  </ol>
);

const initials = (name: string) =>
  name
    .split(/\s+/)
    .flatMap((word) => [...word].slice(0, 1))
    .filter((_, at, all) => at === 0 || at === all.length - 1)
    .join('')
    .toUpperCase();

function Reply({ reply, depth, around }: { reply: ReplyView; depth: number; around: Around }) {
  const { id, author, at, words, unsent } = reply;
  const name = author ?? t('somebody');
  const article = useRef<HTMLElement>(null);
  const { seen } = around;
  const { unread } = reply;
  useEffect(() => {
    if (unread && article.current) seen(article.current, id);
  }, [unread, id, seen]);
  const isNew = around.fresh.has(id);
  return (
    <li>
      <article
        ref={article}
        className="reply"
        data-new={isNew}
        data-stop
        tabIndex={-1}
        aria-label={t(isNew ? 'replies.byNew' : 'replies.by', { name, when: moment(at) })}
      >
        <header>
          <span className="initials" aria-hidden="true">
            {initials(name)}
          </span>
          <b>
            <bdi>{name}</bdi>
          </b>
          <time dateTime={at}>{moment(at)}</time>
          {reply.edited && <small>{t('edited')}</small>}
          {isNew && <span className="unread">{t('new')} </span>}
        </header>
        {reply.deleted ? <p className="soft">{t('replies.deleted')}</p> : <ProseText of={words} />}
        <Attachments of={reply.attachments} />
        {unsent && <UnsentNote unsent={unsent} />}
        {around.found.can_reply && !unsent && !reply.deleted && (
          <button
            type="button"
            className="quiet reply-to"
            aria-expanded={around.answering === id}
            aria-label={t('replies.to', { name })}
            onClick={() => around.setAnswering(around.answering === id ? null : id)}
          >
            <Icon name="reply" />
            {t('reply')}
            {around.answering !== id && around.found.unfinished.includes(id) && <Tag icon="note">{t('writing.begun')}</Tag>}
          </button>
        )}
        {reply.deleted && around.found.can_reply && around.found.unfinished.includes(id) && around.left(id)}
        {around.answering === id &&
          around.found.can_reply &&
          !unsent &&
          !reply.deleted &&
          around.form(id, { label: t('replies.yoursTo', { name }), isOpen: true, onLeave: () => around.setAnswering(null) })}
      </article>
      {reply.replies.length > 0 && <List replies={reply.replies} depth={depth + 1} around={around} />}
    </li>
  );
}
