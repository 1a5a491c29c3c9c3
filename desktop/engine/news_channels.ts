// The channels by which the person learns what has changed, and says what is worth a notification.

import type { Answer, Channel, Given } from '../ui/channels';
import type { NoticeChoices } from '../ui/views/news';
import { place } from './places';
import type { Part, Study } from './study';

type NewsChannel = Extract<Channel, `news.${string}` | `notices.${string}`>;
type Channels = { readonly [C in NewsChannel]: (given: Given<C>) => Promise<Answer<C>> };

const usual: NoticeChoices = {
  enabled: false,
  about: { grades: true, dates: true, announcements: true, messages: true, discussions: false, content: false },
  quiet: { from: '22:00', to: '07:00' },
};

export function newsChannels({ here, tell }: { here: () => Study; tell: (parts: readonly Part[]) => void }): Channels {
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
