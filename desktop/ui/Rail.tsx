// The rail: navigation, sync status and appearance.

import { type MessageKey, t } from '../language/texts.ts';
import { Switcher } from './account/Switcher.tsx';
import { useLive } from './live.ts';
import { Icon, type IconName } from './parts/Icon.tsx';
import { type DeskRoute, hrefOf } from './routes.ts';
import { StatusLine } from './sync/StatusLine.tsx';
import { type Theme, themeWords, useTheme } from './theme.ts';

const stops = [
  { place: { at: 'today' }, title: 'today' },
  { place: { at: 'courses' }, title: 'courses.title' },
  { place: { at: 'files' }, title: 'tab.files' },
  { place: { at: 'inbox', id: null }, title: 'inbox.title', short: 'inbox.short' },
  { place: { at: 'announcements' }, title: 'announcements.title', short: 'announcements.short' },
  { place: { at: 'search', text: '' }, title: 'search.title' },
  { place: { at: 'sync' }, title: 'sync.title' },
] as const satisfies readonly { place: DeskRoute; title: MessageKey; short?: MessageKey }[];

const themeIcon: Readonly<Record<Theme, IconName>> = { system: 'halfmoon', light: 'sun', dark: 'moon' };
/** The rail stop that is marked current for a screen without a stop of its own. */
const within: Partial<Record<DeskRoute['at'], DeskRoute['at']>> = {
  course: 'courses',
  read: 'courses',
  versions: 'courses',
  grade: 'courses',
  choose: 'files',
  bookmarks: 'courses',
  calendar: 'today',
  outbox: 'sync',
};
/** One's own files belong to no course. */
const isOwnFile = (place: DeskRoute): boolean =>
  (place.at === 'read' || place.at === 'versions') && place.reference.kind === 'file' && place.reference.course_id === 0;
const isHere = (place: DeskRoute, at: DeskRoute['at']) => (isOwnFile(place) ? 'files' : (within[place.at] ?? place.at)) === at;

export function Rail({ place, showKeys }: { place: DeskRoute; showKeys: () => void }) {
  const courses = useLive('courses', 'courses.list');
  const messages = useLive('inbox', 'inbox.list');
  const unread: Partial<Record<DeskRoute['at'], number>> = {
    announcements: courses.value?.reduce((sum, course) => sum + course.unread_announcements, 0) ?? 0,
    inbox: messages.value?.filter((message) => message.unread).length ?? 0,
  };
  const { theme, next } = useTheme();
  return (
    <header className="rail">
      <Switcher />
      <nav aria-label={t('desk')}>
        <ul>
          {stops.map((stop) => (
            <li key={stop.place.at}>
              <a href={hrefOf(stop.place)} aria-current={isHere(place, stop.place.at) ? 'page' : undefined}>
                <Icon name={stop.place.at} />
                <span data-short={t('short' in stop ? stop.short : stop.title)}>{t(stop.title)}</span>
                {!!unread[stop.place.at] && (
                  <em>
                    {unread[stop.place.at]}
                    <span className="sr-only"> {t('unread')}</span>
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
          <a
            className="rail-tool"
            href={hrefOf({ at: 'settings' })}
            aria-label={t('settings.title')}
            title={t('settings.title')}
            aria-current={place.at === 'settings' ? 'page' : undefined}
          >
            <Icon name="settings" />
          </a>
          <button
            type="button"
            className="quiet icon-only"
            aria-label={t('theme.change', { theme: t(themeWords[theme]) })}
            title={t('theme.is', { theme: t(themeWords[theme]) })}
            onClick={next}
          >
            <Icon name={themeIcon[theme]} />
          </button>
          <button type="button" className="quiet icon-only" data-key="?" aria-label={t('keys')} title={t('keys.hint')} onClick={showKeys}>
            <Icon name="keys" />
          </button>
        </div>
      </div>
    </header>
  );
}
