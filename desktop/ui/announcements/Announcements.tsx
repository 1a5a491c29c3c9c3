// Course announcements, newest first.

import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Shown } from '../parts/Shown.tsx';
import { addressOfReading } from '../place.ts';
import { Institution } from './Institution.tsx';

export const Announcements = () => (
  <>
    <Heading title={t('announcements.title')} />
    <Institution />
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
            {found.map((letter) => (
              <li key={letter.id} className="letter" data-read={letter.read} data-cloth={cloth(letter.course_id)}>
                <p className="entry-above">
                  {!letter.read && <span className="unread">{t('new')} </span>}
                  <span className="entry-course">{letter.course_name}</span>
                </p>
                <h2 className="letter-title">
                  <a data-stop href={addressOfReading({ kind: 'discussion_topic', course_id: letter.course_id, id: letter.id })}>
                    {letter.title}
                  </a>
                </h2>
                <p className="letter-excerpt">{letter.excerpt}</p>
                <p className="letter-from">
                  {letter.author && <span>{letter.author}</span>}
                  <time dateTime={letter.posted_at}>{moment(letter.posted_at)}</time>
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}
