// Notifications while the window is not visible: changes and due dates as the user has chosen, and a needed sign-in.

import { Notification } from 'electron';
import { t } from '../../language/texts.ts';
import { notificationText } from '../../ui/news/notice.ts';
import type { EngineProcess } from './engine.ts';

interface Around {
  readonly isInSight: () => boolean;
  /** Brings the window to the front and opens an address, if given. */
  readonly show: (address?: string) => void;
}

/** Milliseconds: changes that arrive together are notified together. */
const patience = 4000;
const longest = 2 ** 31 - 1;

export function announce(engine: EngineProcess, { isInSight, show }: Around) {
  let askedToSignIn = false;
  let timer: NodeJS.Timeout | undefined;
  /** Referenced until closed, because a garbage-collected notification cannot be clicked. */
  const open = new Set<Notification>();
  const say = (title: string, body: string, onClick: () => void) => {
    const notification = new Notification({ title, body });
    open.add(notification);
    const done = () => void open.delete(notification);
    notification.on('click', () => {
      done();
      onClick();
    });
    notification.on('close', done);
    notification.on('failed', done);
    notification.show();
  };
  let asksAt = Number.POSITIVE_INFINITY;
  /** Does not postpone an earlier check. */
  const askIn = (milliseconds: number) => {
    const at = Date.now() + Math.min(Math.max(0, milliseconds), longest);
    if (at >= asksAt && asksAt >= Date.now()) return;
    asksAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => {
      asksAt = Number.POSITIVE_INFINITY;
      void ask().catch(() => undefined);
    }, at - Date.now());
  };
  const ask = async () => {
    const { say: sayings, again } = await engine.call('notices.take', { in_sight: isInSight(), can_say: Notification.isSupported() });
    for (const saying of sayings) {
      const { title, body, address } = notificationText(saying);
      say(title, body, () => {
        const arrive = () => show(address);
        if (saying.account.shown) arrive();
        else void engine.call('account.show', { id: saying.account.id }).then(arrive, arrive);
      });
    }
    if (again) askIn(Date.parse(again) - Date.now());
  };
  const status = async () => {
    // For every account, because only one is visible.
    const accounts = await engine.call('accounts.list', undefined).catch(() => []);
    const asks = accounts.some(({ phase }) => phase === 'sign in');
    if (asks && !askedToSignIn && !isInSight() && Notification.isSupported()) say(t('signIn.again'), t('notice.signIn'), () => show());
    askedToSignIn = asks;
  };
  askIn(patience);
  engine.onNotice(({ changed }) => {
    if (changed.includes('news') || changed.includes('planner')) askIn(patience);
    if (changed.includes('status')) void status();
  });
}
