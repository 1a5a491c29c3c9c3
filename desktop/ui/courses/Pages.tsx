// The pages of a course, front page first.

import type { PageCard } from '../../contract/course.ts';
import { t } from '../../language/texts.ts';
import { UnsentTag } from '../authoring/UnsentTag.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { addressOfReading, go, hrefOf } from '../routes.ts';

/** What is only here, or has to be decided, opens where it is written. */
const addressOf = (course_id: number, { id, unsent }: PageCard): string =>
  id < 0 || unsent === 'changed meanwhile'
    ? hrefOf({ at: 'author', place: { kind: 'page', course_id, id } })
    : addressOfReading({ kind: 'page', course_id, id });

export function Pages({ course_id, mayAuthor }: { course_id: number; mayAuthor: boolean | undefined }) {
  const pages = useLive('courses', 'course.pages', { course_id });
  // A new page has a number of its own until the server gives it one.
  const begin = () => go({ at: 'author', place: { kind: 'page', course_id, id: -Date.now() } });
  return (
    <>
      {mayAuthor && (
        <p className="announce">
          <button type="button" data-key="n" className="primary" onClick={begin}>
            <Icon name="plus" />
            {t('author.newPage')}
          </button>
        </p>
      )}
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
                      <a data-stop href={addressOf(course_id, page)}>
                        {page.title || t('writing.untitled')}
                      </a>
                    </span>
                    {page.unsent && <UnsentTag unsent={page.unsent} />}
                    {page.is_draft && page.id > 0 && <Tag tone="warn">{t('taught.notPublished')}</Tag>}
                    {page.front_page && <Tag>{t('pages.front')}</Tag>}
                  </li>
                ))}
            </ul>
          )
        }
      </Shown>
    </>
  );
}
