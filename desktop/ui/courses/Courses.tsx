// The shelf: one card per course, bound in its own cloth.

import type { CourseCard } from '../channels.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Meter } from '../parts/Meter.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOf, firstTab } from '../place.ts';
import { count, percent } from '../words/amounts.ts';
import { cloth } from './cloth.ts';

export function Courses() {
  const courses = useLive('courses', 'courses.list');
  return (
    <>
      <Heading title="Courses" />
      <Shown live={courses}>
        {(cards) =>
          cards.length === 0 ? (
            <Blank icon="courses" title="No courses on your shelf yet.">
              <p>
                They arrive with the first sync. If it is done and the shelf is still empty, you are not enrolled in a published course: ask
                whoever runs them. <a href={addressOf({ at: 'sync' })}>See how the sync stands</a>
              </p>
            </Blank>
          ) : (
            <ul className="shelf">
              {cards.map((card) => (
                <Book key={card.id} card={card} />
              ))}
            </ul>
          )
        }
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
        <a data-stop href={addressOf({ at: 'course', course_id: card.id, tab: firstTab(card.id) })}>
          {card.name}
        </a>
      </h2>
      <p className="book-facts">
        {card.term_name && <span>{card.term_name}</span>}
        <span>{card.file_count === 0 ? 'No files' : count(card.file_count, 'file')}</span>
      </p>
      {card.unread_announcements > 0 && (
        <p className="tags">
          <Tag tone="busy" icon="announcements">
            {count(card.unread_announcements, 'unread announcement')}
          </Tag>
        </p>
      )}
      {card.progress !== null && (
        <div className="book-progress">
          <Meter share={card.progress} label={`Requirements met in ${card.name}`} />
          <small>{card.progress >= 1 ? 'All requirements met' : `${percent(card.progress)} of requirements met`}</small>
        </div>
      )}
    </div>
  </li>
);
