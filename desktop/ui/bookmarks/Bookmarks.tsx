// All texts that the user has bookmarked, newest first, and the bookmarks stored on the server.

import type { ChannelResult } from '../../contract/channels.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Link } from '../parts/ProseText.tsx';
import { Shown } from '../parts/Shown.tsx';
import { addressOfReading } from '../routes.ts';

export function Bookmarks() {
  const bookmarks = useLive('courses', 'bookmarks.list');
  const kept = useLive('courses', 'bookmarks.kept');
  return (
    <>
      <Heading title={t('bookmarks.title')} />
      <Shown live={bookmarks}>
        {(found) =>
          found.length === 0 ? (
            <Blank icon="bookmark" title={t('bookmarks.none')}>
              <p>{t('bookmarks.howTo')}</p>
            </Blank>
          ) : (
            <ul className="letters">
              {found.map((one) => (
                <Marked key={addressOfReading(one.reference)} one={one} />
              ))}
            </ul>
          )
        }
      </Shown>
      {kept.value && kept.value.length > 0 && (
        <section className="kept" aria-labelledby="kept">
          <h2 id="kept">{t('bookmarks.kept')}</h2>
          <ul className="items leaf">
            {kept.value.map(({ id, name, href }) => (
              <li key={id} className="item">
                <Link href={href}>
                  <bdi>{name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const Marked = ({
  one: { reference, title, course_name, note, highlights, changed_at },
}: {
  one: ChannelResult<'bookmarks.list'>[number];
}) => (
  <li className="letter" data-read="true" data-cloth={cloth(reference.course_id)}>
    <p className="entry-above">{course_name && <span className="entry-course">{course_name}</span>}</p>
    <h2 className="letter-title">
      <a data-stop href={addressOfReading(reference)}>
        {title}
      </a>
    </h2>
    {note && <p className="letter-excerpt">{note}</p>}
    {highlights.map(({ id, words }) => (
      <p key={id} className="letter-excerpt">
        <mark>{words}</mark>
      </p>
    ))}
    <p className="letter-from">
      <time dateTime={changed_at}>{moment(changed_at)}</time>
    </p>
  </li>
);
