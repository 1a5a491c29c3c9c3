// On Today: what has changed since the user last looked, until it is marked as seen.

import { useState } from 'react';
import type { NewsItem } from '../../contract/news.ts';
import { howLongAgo } from '../../language/dates.ts';
import { newsTitles, newsWords } from '../../language/news.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { complain } from '../parts/Toast.tsx';
import { newsAddress } from './address.ts';

const shownAtFirst = 6;

const icons: Partial<Record<NewsItem['of'], IconName>> = {
  course: 'courses',
  group: 'courses',
  enrollment: 'courses',
  assignment_group: 'grades',
  folder: 'files',
  assignment: 'assignment',
  page: 'page',
  file: 'files',
  discussion_topic: 'discussion',
  conversation: 'inbox',
  module: 'courses',
  calendar_event: 'event',
};

const newsIcon = ({ what, of }: NewsItem): IconName =>
  what === 'announcement' ? 'announcements' : what.startsWith('grade') ? 'grades' : (icons[of] ?? 'today');

export function NewsPage() {
  const news = useLive('news', 'news.list');
  const [isOpen, setOpen] = useState(false);
  const found = news.value;
  const latest = found?.[0];
  if (!found || !latest) return null;
  const shown = isOpen ? found : found.slice(0, shownAtFirst);
  return (
    <section className="news" aria-labelledby="news">
      <header>
        <h2 id="news">
          {t('news.title')} <small>{t('things', { count: found.length })}</small>
        </h2>
        <button type="button" className="quiet" onClick={() => void call('news.seen', { until: latest.id }).catch(complain)}>
          <Icon name="check" />
          {t('news.seen')}
        </button>
      </header>
      <ul>
        {shown.map((item) => (
          <Line key={item.id} item={item} />
        ))}
      </ul>
      {found.length > shown.length && (
        <button type="button" className="quiet" onClick={() => setOpen(true)}>
          {t('news.more', { count: found.length - shown.length })}
        </button>
      )}
    </section>
  );
}

function Line({ item }: { item: NewsItem }) {
  const address = newsAddress(item);
  return (
    <li className="news-line" data-cloth={cloth(item.course_id)}>
      <Icon name={newsIcon(item)} />
      <div>
        <p className="news-title">
          {address ? (
            <a data-stop href={address}>
              {item.title || t('inbox.noSubject')}
            </a>
          ) : (
            <span>{item.title}</span>
          )}
          {item.course_name && item.course_name !== item.title && <small className="entry-course">{item.course_name}</small>}
        </p>
        <p className="news-words">
          {newsWords(item)}
          {item.words && <q>{item.words}</q>}
          {item.titles && <small className="news-names">{newsTitles(item)}</small>}
        </p>
      </div>
      <time dateTime={item.at}>{howLongAgo(item.at)}</time>
    </li>
  );
}
