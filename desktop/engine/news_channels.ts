// The channels by which the person learns what has changed, and says what is worth a notification.

import type { Answer, Channel, Given } from '../ui/channels';
import type { NoticeChoices } from '../ui/views/news';
import { place } from './places';
import type { AccountNotificationJson } from './resources';
import type { Part } from './shown_in';
import type { Study } from './study';
import { notices } from './views/notices';

type NewsChannel = Extract<Channel, `news.${string}` | `notices.${string}`>;
type Channels = { readonly [C in NewsChannel]: (given: Given<C>) => Promise<Answer<C>> };

const usual: NoticeChoices = {
  enabled: false,
  about: { grades: true, dates: true, announcements: true, messages: true, discussions: false, content: false },
  quiet: { from: '22:00', to: '07:00' },
};

interface Around {
  readonly here: () => Study;
  readonly tell: (parts: readonly Part[]) => void;
  readonly syncSoon: () => void;
}

export function newsChannels({ here, tell, syncSoon }: Around): Channels {
  return {
    'news.list': async () => {
      const { cache } = here();
      return cache.news.unseen().map((one) => ({
        ...one,
        course_name: one.course_id === null ? null : (place(cache, one.course_id)?.name ?? null),
      }));
    },
    'news.seen': async ({ until }) => {
      here().cache.news.seen(until);
      tell(['news']);
      return null;
    },
    'notices.list': async () => {
      const { cache, outbox, signedIn, now } = here();
      return notices(cache, outbox, signedIn.url, now());
    },
    'notices.close': async ({ id }) => {
      const { cache, outbox } = here();
      const title = cache.get<AccountNotificationJson>('account_notification', id)?.subject;
      if (title !== undefined) outbox.closeNotice({ id, title });
      tell(['announcements', 'status']);
      syncSoon();
      return null;
    },
    'notices.choices': async () => {
      const kept = here().user.setting('notices');
      return kept === undefined ? usual : { ...usual, ...(JSON.parse(kept) as NoticeChoices) };
    },
    'notices.choose': async (choices) => {
      here().user.set('notices', JSON.stringify(choices));
      tell(['news']);
      return null;
    },
  };
}
