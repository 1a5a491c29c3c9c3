// Conversations, the latest first.

import { useState } from 'react';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOf } from '../place.ts';
import { moment } from '../words/dates.ts';
import { t } from '../words/texts.ts';
import { Compose } from './Compose.tsx';
import { namesOf } from './names.ts';

export function Inbox() {
  const letters = useLive('inbox', 'inbox.list');
  const [composing, setComposing] = useState(false);
  return (
    <>
      <Heading title={t('inbox.title')}>
        <button type="button" className="primary" data-key="n" onClick={() => setComposing(true)}>
          <Icon name="plus" />
          {t('compose.title')}
        </button>
      </Heading>
      {composing && <Compose onClose={() => setComposing(false)} />}
      <Shown live={letters}>
        {(found) =>
          found.length === 0 ? (
            <Blank icon="inbox" title={t('inbox.none')}>
              <p>{t('inbox.noneYet')}</p>
            </Blank>
          ) : (
            <ul className="letters">
              {found.map((letter) => (
                <li key={letter.id} className="letter" data-read={!letter.unread}>
                  <p className="entry-above">
                    {letter.unread && <span className="unread">{t('new')}</span>}
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
                    {letter.starred && <Tag tone="warn">{t('inbox.starred')}</Tag>}
                    {letter.unsent && (
                      <Tag tone="busy" icon="hourglass">
                        {t('notYetSent')}
                      </Tag>
                    )}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  );
}
