// The pages of a course, front page first.

import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOfReading } from '../routes.ts';

export function Pages({ course_id }: { course_id: number }) {
  const pages = useLive('courses', 'course.pages', { course_id });
  return (
    <Shown live={pages}>
      {(found) =>
        found.length === 0 ? (
          <Blank icon="page" title={t('pages.none')} />
        ) : (
          <ul className="items leaf">
            {[...found]
              .sort((a, b) => Number(b.front_page) - Number(a.front_page))
              .map((page) => (
                <li key={page.id} className="item">
                  <Icon name="page" />
                  <span className="item-title">
                    <a data-stop href={addressOfReading({ kind: 'page', course_id, id: page.id })}>
                      {page.title}
                    </a>
                  </span>
                  {page.front_page && <Tag>{t('pages.front')}</Tag>}
                </li>
              ))}
          </ul>
        )
      }
    </Shown>
  );
}
