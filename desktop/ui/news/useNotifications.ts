// Browser notifications while the page is hidden. In Electron the host sends them.

import { useEffect } from 'react';
import { call, host } from '../host.ts';
import { onNotice } from '../live.ts';
import { notificationText } from './notice.ts';

export const canNotify = () => 'Notification' in window;

/** Milliseconds: changes that arrive together are notified together, and a visible page gets the chance to show them first. */
const patience = { hidden: 4000, shown: 50 };
/** The longest delay that a timer supports. */
const longest = 2 ** 31 - 1;

export function useNotifications() {
  useEffect(() => {
    if (host.readingsAt || !canNotify()) return;
    let timer: number | undefined;
    let isOver = false;
    let asksAt = Number.POSITIVE_INFINITY;
    /** Does not postpone an earlier check. */
    const askIn = (milliseconds: number) => {
      const at = Date.now() + Math.min(Math.max(0, milliseconds), longest);
      if (at >= asksAt && asksAt >= Date.now()) return;
      asksAt = at;
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        asksAt = Number.POSITIVE_INFINITY;
        void ask().catch(() => undefined);
      }, at - Date.now());
    };
    const soon = () => askIn(document.hidden ? patience.hidden : patience.shown);
    const ask = async () => {
      const can_say = Notification.permission === 'granted';
      // Without permission the page does not take the notifications, so that another page can show them.
      if (document.hidden && !can_say) return;
      const { say, again } = await call('notices.take', { in_sight: !document.hidden, can_say });
      for (const saying of say) {
        const { title, body, tag, address } = notificationText(saying);
        const notification = new Notification(title, { body, tag });
        notification.onclick = () => {
          window.focus();
          notification.close();
          const arrive = () => {
            location.hash = address;
          };
          if (saying.account.shown) arrive();
          else void call('account.show', { id: saying.account.id }).then(arrive);
        };
      }
      if (again && !isOver) askIn(Date.parse(again) - Date.now());
    };
    soon();
    const stop = onNotice(({ changed }) => {
      if (changed.includes('news') || changed.includes('planner')) soon();
    });
    return () => {
      isOver = true;
      stop();
      window.clearTimeout(timer);
    };
  }, []);
}
