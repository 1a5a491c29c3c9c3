// The rail: where one can go, the lamp that says how the sync stands, and the way the desk looks.

import { useLive } from './live.ts';
import { Icon, type IconName } from './parts/Icon.tsx';
import { Lamp } from './parts/Lamp.tsx';
import { addressOf, type Place } from './place.ts';
import { StatusLine } from './sync/StatusLine.tsx';
import { type Theme, useTheme } from './theme.ts';

const stops = [
  { at: 'today', title: 'Today' },
  { at: 'courses', title: 'Courses' },
  { at: 'files', title: 'Files' },
  { at: 'announcements', title: 'Announcements', short: 'News' },
  { at: 'sync', title: 'Sync' },
] as const satisfies readonly { at: Place['at']; title: string; short?: string }[];

const themeIcon: Readonly<Record<Theme, IconName>> = { system: 'halfmoon', light: 'sun', dark: 'moon' };
const isHere = (place: Place, at: Place['at']) => place.at === at || (at === 'courses' && (place.at === 'course' || place.at === 'read'));

export function Rail({ place, showKeys }: { place: Place; showKeys: () => void }) {
  const account = useLive('account', 'account.current');
  const courses = useLive('courses', 'courses.list');
  const unread = courses.value?.reduce((sum, course) => sum + course.unread_announcements, 0) ?? 0;
  const { theme, next } = useTheme();
  return (
    <header className="rail">
      <p className="brand">
        <Lamp light="lit" />
        <span>
          <b>Carrel</b>
          {account.value && <small>{account.value.name}</small>}
        </span>
      </p>
      <nav aria-label="Desk">
        <ul>
          {stops.map((stop) => (
            <li key={stop.at}>
              <a href={addressOf({ at: stop.at })} aria-current={isHere(place, stop.at) ? 'page' : undefined}>
                <Icon name={stop.at} />
                <span data-short={'short' in stop ? stop.short : stop.title}>{stop.title}</span>
                {stop.at === 'announcements' && unread > 0 && (
                  <em>
                    {unread}
                    <span className="sr-only"> unread</span>
                  </em>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="rail-foot">
        <StatusLine />
        <div className="rail-tools">
          <button
            type="button"
            className="quiet icon-only"
            aria-label={`Colours: ${theme}. Change`}
            title={`Colours: ${theme}`}
            onClick={next}
          >
            <Icon name={themeIcon[theme]} />
          </button>
          <button
            type="button"
            className="quiet icon-only"
            data-key="?"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            onClick={showKeys}
          >
            <Icon name="keys" />
          </button>
        </div>
      </div>
    </header>
  );
}
