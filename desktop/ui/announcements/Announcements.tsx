// Course announcements, newest first.

import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Shown } from '../parts/Shown.tsx';
import { addressOfReading } from '../routes.ts';
import { InstitutionNotices } from './InstitutionNotices.tsx';

export const Announcements = () => (
  <>
    <Heading title={t('announcements.title')} />
    <InstitutionNotices />
    <AnnouncementList course_id={null} />
  </>
);

export function AnnouncementList({ course_id }: { course_id: number | null }) {
  const announcements = useLive('announcements', 'announcements.list', { course_id });
  return (
    <Shown live={announcements}>
      {(found) =>
        found.length === 0 ? (
          <Blank icon="announcements" title={t('announcements.none')}>
            <p>{t('announcements.noneYet')}</p>
          </Blank>
        ) : (
          <ul className="letters">
            {found.map((message) => (
              <li key={message.id} className="letter" data-read={message.read} data-cloth={cloth(message.course_id)}>
                <p className="entry-above">
                  {!message.read && <span className="unread">{t('new')} </span>}
                  <span className="entry-course">{message.course_name}</span>
                </p>
                <h2 className="letter-title">
                  <a data-stop href={addressOfReading({ kind: 'discussion_topic', course_id: message.course_id, id: message.id })}>
                    {message.title}
                  </a>
                </h2>
                <p className="letter-excerpt">{message.excerpt}</p>
                <p className="letter-from">
                  {message.author && <span>{message.author}</span>}
                  <time dateTime={message.posted_at}>{moment(message.posted_at)}</time>
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}
