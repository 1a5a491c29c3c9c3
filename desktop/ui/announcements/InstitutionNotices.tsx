// Announcements of the institution, shown until they are closed or expire.

import type { NoticeView } from '../../contract/notices.ts';
import { moment } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { complain, showToast } from '../parts/Toast.tsx';

const kinds: Readonly<Record<NoticeView['icon'], { readonly word: MessageKey; readonly icon: IconName }>> = {
  warning: { word: 'notice.warning', icon: 'warning' },
  error: { word: 'notice.error', icon: 'warning' },
  information: { word: 'notice.information', icon: 'announcements' },
  question: { word: 'notice.question', icon: 'quiz' },
  calendar: { word: 'notice.calendar', icon: 'event' },
};

export function InstitutionNotices() {
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

const close = (id: number) => call('notices.close', { id }).then(() => showToast(t('notice.closed')), complain);

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
        <ProseText of={words} />
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
