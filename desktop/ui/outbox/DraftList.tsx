// All drafts: each can be continued or discarded, even when the item it belongs to is gone.

import { useState } from 'react';
import type { UnfinishedItem } from '../../contract/writing.ts';
import { dayOf, howLongAgo } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { NewAnnouncement } from '../announcements/NewAnnouncement.tsx';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { Compose } from '../inbox/Compose.tsx';
import { useLive } from '../live.ts';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { complain } from '../parts/Toast.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';
import { NoteForm } from '../today/NoteForm.tsx';

const kinds: Readonly<Record<UnfinishedItem['place']['kind'], { word: MessageKey; icon: IconName }>> = {
  reply: { word: 'outbox.reply', icon: 'reply' },
  letter: { word: 'outbox.write', icon: 'inbox' },
  'new letter': { word: 'outbox.compose', icon: 'inbox' },
  note: { word: 'outbox.create', icon: 'note' },
  work: { word: 'facts.yourWork', icon: 'assignment' },
  comment: { word: 'grading.comment', icon: 'discussion' },
  announcement: { word: 'outbox.announce', icon: 'announcements' },
  authored: { word: 'outbox.author', icon: 'pencil' },
};

export function DraftList() {
  const items = useLive('status', 'writing.list');
  const [on, setOn] = useState<UnfinishedItem | null>(null);
  if (!items.value || items.value.length === 0) return null;
  const close = () => setOn(null);
  return (
    <section className="outbox being-written" aria-labelledby="being-written">
      <h2 id="being-written">{t('writing.list')}</h2>
      <p className="soft">{t('writing.listMeans')}</p>
      <ol className="outbox-items">
        {items.value.map((item) => (
          <Item key={JSON.stringify(item.place)} item={item} goOn={() => setOn(item)} />
        ))}
      </ol>
      {on?.place.kind === 'new letter' && <Compose place={on.place} onClose={close} />}
      {on?.place.kind === 'announcement' && <NewAnnouncement course_id={on.place.course_id} onClose={close} />}
      {on?.place.kind === 'note' && <NoteForm draft={{ day: on.words.day ?? dayOf(new Date()) }} onClose={close} />}
    </section>
  );
}

function Item({ item, goOn }: { item: UnfinishedItem; goOn: () => void }) {
  const { place, words, title, course_id, course_name, changed_at } = item;
  const isChanged = place.kind === 'note' && place.id !== null;
  const { word, icon } = kinds[place.kind];
  const address = addressOf(item);
  const name = title || words.title || t(place.kind === 'letter' || place.kind === 'new letter' ? 'inbox.noSubject' : 'writing.untitled');
  const isGone = title === null;
  return (
    <li className="outbox-item" data-cloth={cloth(course_id)}>
      <div>
        <p className="entry-above">
          <Icon name={icon} />
          <span>{t(isChanged ? 'outbox.update' : word)}</span>
          {course_name && <span className="entry-course">{course_name}</span>}
          <span>
            <time dateTime={changed_at}>{howLongAgo(changed_at)}</time>
          </span>
        </p>
        <p className="entry-title">
          {address ? (
            <a data-stop href={address}>
              {name}
            </a>
          ) : (
            <span data-stop tabIndex={-1}>
              {name}
            </span>
          )}
        </p>
        {isGone && <p className="outbox-why">{t('writing.gone')}</p>}
        {words.text !== '' && place.kind !== 'authored' && <p className="left-words">{words.text}</p>}
        <FileNames of={words.files?.map((file) => file.name) ?? []} />
      </div>
      <div className="outbox-acts">
        {!address && !isGone && !isChanged && (
          <button type="button" aria-label={t('writing.goOnWith', { title: name })} onClick={goOn}>
            {t('writing.goOn')}
          </button>
        )}
        {place.kind !== 'work' && (
          <button
            type="button"
            className="quiet"
            aria-label={t('writing.discardOf', { title: name })}
            onClick={() => void call('writing.keep', { place, words: null }).catch(complain)}
          >
            {t('writing.discard')}
          </button>
        )}
      </div>
    </li>
  );
}

function addressOf({ place, open, letter }: UnfinishedItem): string | null {
  if (place.kind === 'authored') return hrefOf({ at: 'author', place: { ...place, kind: place.of } });
  if (place.kind === 'comment') return hrefOf({ at: 'grade', ...place });
  if (open) return addressOfReading(open);
  return letter === null ? null : hrefOf({ at: 'inbox', id: letter });
}

/** The attached files of a draft. */
export const FileNames = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? null : (
    <ul className="attachments" aria-label={t('attachments')}>
      {of.map((name) => (
        <li key={name}>
          <Icon name="clip" />
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
