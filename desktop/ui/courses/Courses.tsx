// All courses, one card each in the colour of the course.

import type { CourseCard } from '../../contract/course.ts';
import { percent } from '../../language/amounts.ts';
import { langOf } from '../../language/guess_language.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { StudentSwitch } from '../observing/StudentSwitch.tsx';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { ProgressBar } from '../parts/ProgressBar.tsx';
import { rich } from '../parts/rich.ts';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { firstTab, hrefOf } from '../routes.ts';
import { cloth } from './cloth.ts';

export function Courses() {
  const courses = useLive('courses', 'courses.list');
  return (
    <>
      <Heading title={t('courses.title')}>
        <a className="button" href={hrefOf({ at: 'bookmarks' })}>
          <Icon name="bookmark" />
          {t('bookmarks.title')}
        </a>
      </Heading>
      <StudentSwitch />
      <Shown live={courses}>
        {(all) => {
          const cards = all.filter(({ out_of_sight }) => !out_of_sight);
          return cards.length === 0 ? (
            <Blank icon="courses" title={t('courses.none')}>
              <p>{rich('courses.noneYet', { a: (text) => <a href={hrefOf({ at: 'sync' })}>{text}</a> })}</p>
            </Blank>
          ) : (
            <ul className="shelf">
              {cards.map((card) => (
                <Book key={card.id} card={card} />
              ))}
            </ul>
          );
        }}
      </Shown>
    </>
  );
}

const Book = ({ card }: { card: CourseCard }) => (
  <li className="book" data-cloth={cloth(card.id)}>
    <p className="book-spine">
      <span>{card.course_code}</span>
    </p>
    <div className="book-cover">
      <h2>
        <a data-stop href={hrefOf({ at: 'course', course_id: card.id, tab: firstTab(card.id) })} lang={langOf(card.name)}>
          {card.name}
        </a>
      </h2>
      <p className="book-facts">
        {card.term_name && <span>{card.term_name}</span>}
        <span>{t('files.count', { count: card.file_count })}</span>
      </p>
      {card.is_shut && (
        <p className="tags">
          <Tag icon="lock">{t('course.shut')}</Tag>
        </p>
      )}
      {card.unread_announcements > 0 && (
        <p className="tags">
          <Tag tone="busy" icon="announcements">
            {t('announcements.unread', { count: card.unread_announcements })}
          </Tag>
        </p>
      )}
      {card.progress !== null && (
        <div className="book-progress">
          <ProgressBar share={card.progress} label={t('requirements.metIn', { name: card.name })} />
          <small>{card.progress >= 1 ? t('requirements.all') : t('requirements.share', { share: percent(card.progress) })}</small>
        </div>
      )}
    </div>
  </li>
);
