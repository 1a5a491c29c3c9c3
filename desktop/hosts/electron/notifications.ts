// What is worth saying when the window is out of sight: what has changed, as the person has chosen, and that the server wants a new sign-in.

import { Notification } from 'electron';
import { worthSaying } from '../../ui/news/choices.ts';
import { newsWords } from '../../ui/news/words.ts';
import { t } from '../../ui/words/texts.ts';
import type { Engine } from './engine.ts';

export function announce(engine: Engine, { isInSight, show }: { isInSight: () => boolean; show: () => void }) {
  let lastSaid: number | undefined;
  let askedToSignIn = false;
  const say = (title: string, body: string) => {
    if (isInSight() || !Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    notification.on('click', show);
    notification.show();
  };
  const news = async () => {
    const found = await engine.call('news.list', undefined).catch(() => []);
    const choices = await engine.call('notices.choices', undefined).catch(() => undefined);
    // What was there before this start is no news.
    if (choices && lastSaid !== undefined)
      for (const item of worthSaying(found, lastSaid, choices, new Date())) say(item.title, newsWords(item));
    lastSaid = Math.max(lastSaid ?? 0, ...found.map(({ id }) => id));
  };
  const status = async () => {
    // Of any account: the others are not before the eyes.
    const accounts = await engine.call('accounts.list', undefined).catch(() => []);
    const asks = accounts.some(({ phase }) => phase === 'sign in');
    if (asks && !askedToSignIn) say(t('signIn.again'), t('notice.signIn'));
    askedToSignIn = asks;
  };
  void news();
  engine.onNotice(({ changed }) => {
    if (changed.includes('news')) void news();
    if (changed.includes('status')) void status();
  });
}
