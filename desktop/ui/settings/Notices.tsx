// Notification settings and quiet hours.

import { useState } from 'react';
import type { NoticeChoices, NoticeTopic } from '../../contract/news.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { call, host } from '../host.ts';
import { useLive } from '../live.ts';
import { noticeTopics } from '../news/choices.ts';
import { canNotify } from '../news/useNotifications.ts';
import { Shown } from '../parts/Shown.tsx';
import { complain, showToast } from '../parts/Toast.tsx';

const words: Readonly<Record<NoticeTopic, MessageKey>> = {
  due: 'notices.due',
  grades: 'notices.grades',
  dates: 'notices.dates',
  announcements: 'notices.announcements',
  messages: 'notices.messages',
  discussions: 'notices.discussions',
  content: 'notices.content',
};
const usualQuiet = { from: '22:00', to: '07:00' };

export function Notices() {
  const choices = useLive('news', 'notices.choices');
  return <Shown live={choices}>{(found) => <Choices choices={found} />}</Shown>;
}

/** The browser asks for permission only once; a refusal can be undone only in the browser's settings. */
async function isPermitted(): Promise<boolean> {
  if (host.readingsAt) return true;
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

function Choices({ choices: { enabled, about, quiet } }: { choices: NoticeChoices }) {
  const [isRefused, setRefused] = useState(false);
  const choose = (change: Partial<NoticeChoices>) =>
    call('notices.choose', { enabled, about, quiet, ...change }).then(() => showToast(t('notices.kept')), complain);
  const enable = async (wanted: boolean) => {
    const permitted = !wanted || (await isPermitted());
    setRefused(!permitted);
    if (permitted) await choose({ enabled: wanted });
  };
  return (
    <fieldset className="notices">
      <legend>{t('notices.title')}</legend>
      <label className="check">
        <input type="checkbox" checked={enabled} onChange={({ target }) => void enable(target.checked)} />
        <span>{t('notices.enable')}</span>
      </label>
      {isRefused && (
        <p className="soft" role="alert">
          {t('notices.refused')}
        </p>
      )}
      {enabled && (
        <>
          <ul>
            {noticeTopics.map((topic) => (
              <li key={topic}>
                <label className="check">
                  <input
                    type="checkbox"
                    checked={about[topic]}
                    onChange={({ target }) => void choose({ about: { ...about, [topic]: target.checked } })}
                  />
                  <span>{t(words[topic])}</span>
                </label>
              </li>
            ))}
          </ul>
          <label className="check">
            <input
              type="checkbox"
              checked={quiet !== null}
              onChange={({ target }) => void choose({ quiet: target.checked ? usualQuiet : null })}
            />
            <span>{t('notices.quiet')}</span>
          </label>
          {quiet && (
            <p className="quiet-hours">
              <label>
                <span>{t('notices.from')}</span>
                <input
                  type="time"
                  value={quiet.from}
                  onChange={({ target }) => target.value && void choose({ quiet: { ...quiet, from: target.value } })}
                />
              </label>
              <label>
                <span>{t('notices.to')}</span>
                <input
                  type="time"
                  value={quiet.to}
                  onChange={({ target }) => target.value && void choose({ quiet: { ...quiet, to: target.value } })}
                />
              </label>
            </p>
          )}
        </>
      )}
    </fieldset>
  );
}
