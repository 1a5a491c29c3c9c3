// Conversations, newest first.

import { useState } from 'react';
import { moment } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { hrefOf, type InboxScope } from '../routes.ts';
import { Compose } from './Compose.tsx';
import { peopleNames } from './names.ts';
import { Archive, Star } from './order.tsx';

const titles: Readonly<Record<InboxScope | 'all', MessageKey>> = { all: 'inbox.all', starred: 'inbox.starred', archived: 'inbox.archived' };

export function Inbox({ shelf }: { shelf?: InboxScope | undefined }) {
  const messages = useLive('inbox', 'inbox.list');
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
            href={hrefOf({ at: 'inbox', id: null, ...(one && { shelf: one }) })}
            aria-current={one === shelf ? 'page' : undefined}
          >
            {t(titles[one ?? 'all'])}
          </a>
        ))}
      </nav>
      {composing && <Compose onClose={() => setComposing(false)} />}
      <Shown live={messages}>
        {(all) => {
          const found = all.filter(({ starred, archived }) => (shelf === 'starred' ? starred : archived === (shelf === 'archived')));
          return found.length === 0 ? (
            <Blank icon="inbox" title={t(shelf ? 'inbox.noneHere' : 'inbox.none')}>
              {!shelf && <p>{t('inbox.noneYet')}</p>}
            </Blank>
          ) : (
            <ul className="letters">
              {found.map((message) => (
                <li key={message.id} className="letter" data-read={!message.unread}>
                  <p className="entry-above">
                    {message.unread && <span className="unread">{t('new')} </span>}
                    <span>
                      <bdi>{peopleNames(message.people)}</bdi>
                    </span>
                    {message.course_name && <span className="entry-course">{message.course_name}</span>}
                  </p>
                  <h2 className="letter-title">
                    <a data-stop href={hrefOf({ at: 'inbox', id: message.id })}>
                      {message.subject ?? t('inbox.noSubject')}
                    </a>
                  </h2>
                  <p className="letter-excerpt">{message.excerpt}</p>
                  <p className="letter-from">
                    {message.at && <time dateTime={message.at}>{moment(message.at)}</time>}
                    {message.messages > 1 && <span>{t('inbox.messages', { count: message.messages })}</span>}
                    {message.archived && shelf === 'starred' && <Tag icon="archive">{t('inbox.archived')}</Tag>}
                    {message.unsent && (
                      <Tag tone="busy" icon="hourglass">
                        {t('notYetSent')}
                      </Tag>
                    )}
                  </p>
                  <div className="letter-order">
                    <Star of={message} title={message.subject ?? t('inbox.noSubject')} />
                    <Archive of={message} title={message.subject ?? t('inbox.noSubject')} />
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
