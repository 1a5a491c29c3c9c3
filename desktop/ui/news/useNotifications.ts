// In a browser: what is worth saying when the desk's page is out of sight. In Electron the host says it itself.

import { useEffect } from 'react';
import { call, host } from '../host.ts';
import { useLive } from '../live.ts';
import { newsAddress } from './address.ts';
import { worthSaying } from './choices.ts';
import { newsWords } from './words.ts';

export const canNotify = () => 'Notification' in window;

/** Up to which news everything was said, or was there when the page was opened. */
let lastSaid: number | undefined;

export function useNotifications() {
  const news = useLive('news', 'news.list').value;
  useEffect(() => {
    if (!news || host.readingsAt) return;
    const before = lastSaid;
    lastSaid = Math.max(before ?? 0, ...news.map(({ id }) => id));
    if (before === undefined || !document.hidden || !canNotify() || Notification.permission !== 'granted') return;
    void call('notices.choices').then((choices) => {
      for (const item of worthSaying(news, before, choices, new Date())) {
        const notification = new Notification(item.title, { body: newsWords(item), tag: `carrel-${item.id}` });
        notification.onclick = () => {
          window.focus();
          location.hash = newsAddress(item) ?? '#/today';
        };
      }
    });
  }, [news]);
}
