// Conversations, newest first.

import { useState } from 'react';
import { moment } from '../../language/dates.ts';
import { type Key, t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOf, type LetterShelf } from '../place.ts';
import { Compose } from './Compose.tsx';
import { namesOf } from './names.ts';
import { Archive, Star } from './order.tsx';

const titles: Readonly<Record<LetterShelf | 'all', Key>> = { all: 'inbox.all', starred: 'inbox.starred', archived: 'inbox.archived' };

export function Inbox({ shelf }: { shelf?: LetterShelf | undefined }) {
  const letters = useLive('inbox', 'inbox.list');
  const [composing, setComposing] = useState(false);
  return (
    <>
      <Heading title={t('inbox.title')} part={shelf && t(titles[shelf])}>
        <button type="button" className="primary" data-key="n" onClick={() => setComposing(true)}>
          <Icon name="plus" />
          {t('compose.title')}
        </button>
      </Heading>
      <nav className="shelves" aria-label={t('inbox.shelves')}>
        {([undefined, 'starred', 'archived'] as const).map((one) => (
          <a
            key={one ?? ''}
            href={addressOf({ at: 'inbox', id: null, ...(one && { shelf: one }) })}
            aria-current={one === shelf ? 'page' : undefined}
          >
            {t(titles[one ?? 'all'])}
          </a>
        ))}
      </nav>
      {composing && <Compose onClose={() => setComposing(false)} />}
      <Shown live={letters}>
        {(all) => {
          const found = all.filter(({ starred, archived }) => (shelf === 'starred' ? starred : archived === (shelf === 'archived')));
          return found.length === 0 ? (
            <Blank icon="inbox" title={t(shelf ? 'inbox.noneHere' : 'inbox.none')}>
              {!shelf && <p>{t('inbox.noneYet')}</p>}
            </Blank>
          ) : (
            <ul className="letters">
              {found.map((letter) => (
                <li key={letter.id} className="letter" data-read={!letter.unread}>
                  <p className="entry-above">
                    {letter.unread && <span className="unread">{t('new')} </span>}
                    <span>
                      <bdi>{namesOf(letter.people)}</bdi>
                    </span>
                    {letter.course_name && <span className="entry-course">{letter.course_name}</span>}
                  </p>
                  <h2 className="letter-title">
                    <a data-stop href={addressOf({ at: 'inbox', id: letter.id })}>
                      {letter.subject ?? t('inbox.noSubject')}
                    </a>
                  </h2>
                  <p className="letter-excerpt">{letter.excerpt}</p>
                  <p className="letter-from">
                    {letter.at && <time dateTime={letter.at}>{moment(letter.at)}</time>}
                    {letter.messages > 1 && <span>{t('inbox.messages', { count: letter.messages })}</span>}
                    {letter.archived && shelf === 'starred' && <Tag icon="archive">{t('inbox.archived')}</Tag>}
                    {letter.unsent && (
                      <Tag tone="busy" icon="hourglass">
                        {t('notYetSent')}
                      </Tag>
                    )}
                  </p>
                  <div className="letter-order">
                    <Star of={letter} title={letter.subject ?? t('inbox.noSubject')} />
                    <Archive of={letter} title={letter.subject ?? t('inbox.noSubject')} />
                  </div>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </>
  );
}
