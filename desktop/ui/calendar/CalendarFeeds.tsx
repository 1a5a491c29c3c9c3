// The calendars of courses and groups for other programs: subscribed in one click, or by their address.

import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { showToast } from '../parts/Toast.tsx';

/** Calendar programs open this scheme, and then read the feed over the web. */
export const subscriptionOf = (address: string): string => address.replace(/^https?:/, 'webcal:');

async function copy(address: string) {
  try {
    await navigator.clipboard.writeText(address);
    showToast(t('calendar.copied'));
  } catch {
    showToast(t('calendar.notCopied', { address }));
  }
}

export function CalendarFeeds() {
  const courses = useLive('courses', 'courses.list');
  const found = (courses.value ?? []).filter(({ calendar_url, out_of_sight }) => calendar_url && !out_of_sight);
  if (found.length === 0) return null;
  return (
    <details className="calendar-feeds">
      <summary>{t('calendar.feeds')}</summary>
      <p className="soft">{t('calendar.feedsMean')}</p>
      <ul className="entries">
        {found.map(({ id, name, calendar_url = '' }) => (
          <li key={id} className="calendar-feed" data-cloth={cloth(id)}>
            <bdi>{name}</bdi>
            <a className="button" href={subscriptionOf(calendar_url)} aria-label={t('calendar.subscribeTo', { name })}>
              <Icon name="eventAdd" />
              {t('calendar.subscribe')}
            </a>
            <button type="button" className="quiet" aria-label={t('calendar.copyOf', { name })} onClick={() => void copy(calendar_url)}>
              <Icon name="link" />
              {t('calendar.copy')}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
