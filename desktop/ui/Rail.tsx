// The rail: where one can go, the lamp that says how the sync stands, and the way the desk looks.

import { useLive } from './live.ts';
import { Icon, type IconName } from './parts/Icon.tsx';
import { Lamp } from './parts/Lamp.tsx';
import { addressOf, type Place } from './place.ts';
import { StatusLine } from './sync/StatusLine.tsx';
import { type Theme, useTheme } from './theme.ts';

const stops = [
  { place: { at: 'today' }, title: 'Today' },
  { place: { at: 'courses' }, title: 'Courses' },
  { place: { at: 'files' }, title: 'Files' },
  { place: { at: 'inbox', id: null }, title: 'Inbox' },
  { place: { at: 'announcements' }, title: 'Announcements', short: 'News' },
  { place: { at: 'search', text: '' }, title: 'Search' },
  { place: { at: 'sync' }, title: 'Sync' },
] as const satisfies readonly { place: Place; title: string; short?: string }[];

const themeIcon: Readonly<Record<Theme, IconName>> = { system: 'halfmoon', light: 'sun', dark: 'moon' };
const isHere = (place: Place, at: Place['at']) => place.at === at || (at === 'courses' && (place.at === 'course' || place.at === 'read'));

export function Rail({ place, showKeys }: { place: Place; showKeys: () => void }) {
  const account = useLive('account', 'account.current');
  const courses = useLive('courses', 'courses.list');
  const letters = useLive('inbox', 'inbox.list');
  const unread: Partial<Record<Place['at'], number>> = {
    announcements: courses.value?.reduce((sum, course) => sum + course.unread_announcements, 0) ?? 0,
    inbox: letters.value?.filter((letter) => letter.unread).length ?? 0,
  };
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
            <li key={stop.place.at}>
              <a href={addressOf(stop.place)} aria-current={isHere(place, stop.place.at) ? 'page' : undefined}>
                <Icon name={stop.place.at} />
                <span data-short={'short' in stop ? stop.short : stop.title}>{stop.title}</span>
                {!!unread[stop.place.at] && (
                  <em>
                    {unread[stop.place.at]}
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
