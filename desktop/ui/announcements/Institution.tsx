// Announcements of the institution, shown until they are closed or expire.

import type { NoticeView } from '../../contract/notices.ts';
import { moment } from '../../language/dates.ts';
import { type Key, t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { complain, say } from '../parts/Said.tsx';
import { Words } from '../parts/Words.tsx';

const kinds: Readonly<Record<NoticeView['icon'], { readonly word: Key; readonly icon: IconName }>> = {
  warning: { word: 'notice.warning', icon: 'warning' },
  error: { word: 'notice.error', icon: 'warning' },
  information: { word: 'notice.information', icon: 'announcements' },
  question: { word: 'notice.question', icon: 'quiz' },
  calendar: { word: 'notice.calendar', icon: 'event' },
};

export function Institution() {
  const found = useLive('announcements', 'notices.list').value;
  if (!found || found.length === 0) return null;
  return (
    <section className="institution" aria-label={t('notice.all')}>
      {found.map((notice) => (
        <Notice key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

const close = (id: number) => call('notices.close', { id }).then(() => say(t('notice.closed')), complain);

function Notice({ notice: { id, title, words, icon, author, ends_at } }: { notice: NoticeView }) {
  const { word, icon: picture } = kinds[icon];
  return (
    <article className="institution-notice" data-kind={icon} aria-labelledby={`notice-${id}`}>
      <Icon name={picture} />
      <div>
        <p className="entry-above">
          <span className="notice-kind">{t(word)}</span>
          {author && <span>{t('notice.fromInstitution', { name: author })}</span>}
          <span>
            <time dateTime={ends_at}>{t('notice.until', { when: moment(ends_at) })}</time>
          </span>
        </p>
        <h2 id={`notice-${id}`}>{title}</h2>
        <Words of={words} />
      </div>
      <button
        type="button"
        className="quiet icon-only"
        aria-label={t('notice.closeOf', { title })}
        title={t('notice.close')}
        onClick={() => void close(id)}
      >
        <Icon name="close" />
      </button>
    </article>
  );
}
