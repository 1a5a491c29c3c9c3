// What is worth saying when the window is out of sight: a new announcement, and that the server wants a new sign-in.

import { Notification } from 'electron';
import { t } from '../../ui/words/texts.ts';
import type { Engine } from './engine.ts';

export function announce(engine: Engine, { isInSight, show }: { isInSight: () => boolean; show: () => void }) {
  const known = new Set<number>();
  let isFirst = true;
  let askedToSignIn = false;
  const say = (title: string, body: string) => {
    if (isInSight() || !Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    notification.on('click', show);
    notification.show();
  };
  const news = async () => {
    const found = await engine.call('announcements.list', { course_id: null }).catch(() => []);
    for (const { id, read, title, course_name } of found) {
      if (!isFirst && !read && !known.has(id)) say(course_name, title);
      known.add(id);
    }
    // What was there before this start is no news.
    isFirst = false;
  };
  const status = async () => {
    const now = await engine.call('sync.status', undefined).catch(() => undefined);
    const account = await engine.call('account.current', undefined).catch(() => null);
    const asks = now?.phase === 'sign in' && account !== null;
    if (asks && !askedToSignIn) say(t('signIn.again'), t('notice.signIn'));
    askedToSignIn = asks;
  };
  engine.onNotice(({ changed }) => {
    if (changed.includes('announcements')) void news();
    if (changed.includes('status')) void status();
  });
}
