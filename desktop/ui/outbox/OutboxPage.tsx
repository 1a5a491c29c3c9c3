// The outbox: what waits to be sent, why, and what can be done about it.

import type { OutboxItem } from '../../contract/work.ts';
import { howLongAgo } from '../../language/dates.ts';
import { wordsOfHold } from '../../language/holds.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { SendingTag } from '../parts/UnsentNote.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';
import { syncNow } from '../sync/SyncPage.tsx';
import { cancelIntent, moveIntent, retry } from './acts.ts';
import { DraftList, FileNames } from './DraftList.tsx';

const verbs: Readonly<Record<OutboxItem['verb'], { word: MessageKey; icon: IconName }>> = {
  create: { word: 'outbox.create', icon: 'note' },
  update: { word: 'outbox.update', icon: 'note' },
  delete: { word: 'outbox.delete', icon: 'note' },
  mark: { word: 'outbox.mark', icon: 'check' },
  read: { word: 'outbox.read', icon: 'page' },
  'read entries': { word: 'outbox.read', icon: 'discussion' },
  open: { word: 'outbox.read', icon: 'inbox' },
  star: { word: 'outbox.star', icon: 'star' },
  archive: { word: 'outbox.archive', icon: 'archive' },
  view: { word: 'outbox.view', icon: 'page' },
  reply: { word: 'outbox.reply', icon: 'reply' },
  write: { word: 'outbox.write', icon: 'inbox' },
  compose: { word: 'outbox.compose', icon: 'inbox' },
  announce: { word: 'outbox.announce', icon: 'announcements' },
  author: { word: 'outbox.author', icon: 'pencil' },
  done: { word: 'outbox.done', icon: 'check' },
  undone: { word: 'outbox.undone', icon: 'check' },
  close: { word: 'outbox.close', icon: 'announcements' },
  'hand in': { word: 'outbox.handIn', icon: 'assignment' },
  grade: { word: 'outbox.grade', icon: 'grades' },
};

/** Undoing one of these turns it into a draft again. */
const wordy: ReadonlySet<OutboxItem['verb']> = new Set(['reply', 'write', 'compose', 'announce', 'author', 'hand in', 'grade']);

const waits: MessageKey = 'outbox.waits';

export function OutboxPage() {
  const waiting = useLive('status', 'outbox.list');
  return (
    <>
      <Heading title={t('outbox.title')}>
        <button type="button" className="primary" onClick={() => void syncNow()}>
          <Icon name="sync" />
          {t('sync.now')}
        </button>
      </Heading>
      <Shown live={waiting}>{(found) => (found.length === 0 ? <Nothing /> : <Waiting of={found} />)}</Shown>
      <DraftList />
    </>
  );
}

const Nothing = () => (
  <Blank icon="check" title={t('outbox.none')}>
    <p>{t('outbox.noneMeans')}</p>
  </Blank>
);

function Waiting({ of }: { of: readonly OutboxItem[] }) {
  const words = of.filter(({ is_word }) => is_word);
  const quiet = of.filter(({ is_word }) => !is_word);
  return (
    <div className="outbox">
      <p className="soft">{t('outbox.explained')}</p>
      {words.length > 0 && (
        <ol className="outbox-items">
          {words.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ol>
      )}
      {quiet.length > 0 && (
        <details className="earlier">
          <summary>{t('outbox.quiet', { count: quiet.length })}</summary>
          <ol className="outbox-items">
            {quiet.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

function addressOf({ open, letter, authored }: OutboxItem): string | null {
  if (authored) return hrefOf({ at: 'author', place: authored });
  if (open) return addressOfReading(open);
  return letter === null ? null : hrefOf({ at: 'inbox', id: letter });
}

const moves: Readonly<Record<'up' | 'down', { word: MessageKey; of: MessageKey }>> = {
  up: { word: 'outbox.earlier', of: 'outbox.earlierOf' },
  down: { word: 'outbox.later', of: 'outbox.laterOf' },
};

const Move = ({ item: { id, title, may_rise, may_sink }, by }: { item: OutboxItem; by: 'up' | 'down' }) => (
  <button
    type="button"
    className="quiet icon-only"
    disabled={!(by === 'up' ? may_rise : may_sink)}
    aria-label={t(moves[by].of, { title })}
    title={t(moves[by].word)}
    onClick={() => void moveIntent(id, by)}
  >
    <Icon name={by} />
  </button>
);

function Item({ item }: { item: OutboxItem }) {
  const { id, verb, title, excerpt, files, course_name, since, refused, hold } = item;
  const { word, icon } = verbs[verb];
  const address = addressOf(item);
  const needsMerge = hold === 'changed meanwhile';
  return (
    <li className="outbox-item" data-refused={refused !== null} data-cloth={cloth(item.course_id)}>
      <div>
        <p className="entry-above">
          <Icon name={icon} />
          <span>{t(word)}</span>
          {course_name && <span className="entry-course">{course_name}</span>}
          <span>
            <time dateTime={since}>{howLongAgo(since)}</time>
          </span>
        </p>
        <p className="entry-title">
          {address ? (
            <a data-stop href={address}>
              {title}
            </a>
          ) : (
            <span data-stop tabIndex={-1}>
              {title}
            </span>
          )}
        </p>
        {excerpt && <p className="entry-details">{excerpt}</p>}
        <FileNames of={files} />
        <p className="tags">
          <SendingTag refused={refused} waits={waits} />
        </p>
        {refused !== null && (
          <p className="outbox-why">
            {hold && t(wordsOfHold(hold, verb))} {(hold === null || hold === 'declined' || hold === 'trouble') && <bdi>{refused}</bdi>}
          </p>
        )}
      </div>
      <div className="outbox-acts">
        {needsMerge && address && (
          <a className="button" href={address}>
            <Icon name="compare" />
            {t('merge.look')}
          </a>
        )}
        {refused !== null && !needsMerge && (
          <button type="button" aria-label={t('outbox.againOf', { title })} onClick={() => void retry(id)}>
            {t('again')}
          </button>
        )}
        {item.may_take_back && (
          <button
            type="button"
            className="quiet"
            aria-label={t('outbox.takeBackOf', { title })}
            onClick={() => void cancelIntent(id, wordy.has(verb))}
          >
            {t('outbox.takeBack')}
          </button>
        )}
        <Move item={item} by="up" />
        <Move item={item} by="down" />
      </div>
    </li>
  );
}
