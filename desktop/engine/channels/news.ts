// The channels for news and notification settings.

import type { ChangedArea, Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import { accountIdOf } from '../accounts/account';
import type { Workspace } from '../accounts/workspace';
import type { AccountNotificationJson } from '../model/resources';
import { newsItems } from '../views/news';
import { noticesView } from '../views/notices';
import { chooseNotices, noticeChoices, sayings } from '../views/notifications';

type NewsChannel = Extract<Channel, `news.${string}` | `notices.${string}`>;
type Channels = { readonly [C in NewsChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

interface Around {
  readonly here: () => Workspace;
  readonly everywhere: () => readonly Workspace[];
  readonly tell: (parts: readonly ChangedArea[]) => void;
  readonly syncSoon: () => void;
}

export function newsChannels({ here, everywhere, tell, syncSoon }: Around): Channels {
  return {
    'news.list': async () => newsItems(here()),
    'news.seen': async ({ until }) => {
      here().cache.news.seen(until);
      tell(['news']);
      return null;
    },
    'notices.list': async () => {
      const { cache, outbox, signedIn, now } = here();
      return noticesView(cache, outbox, signedIn.url, now());
    },
    'notices.close': async ({ id }) => {
      const { cache, outbox } = here();
      const title = cache.get<AccountNotificationJson>('account_notification', id)?.subject;
      if (title !== undefined) outbox.closeNotice({ id, title });
      tell(['announcements', 'status']);
      syncSoon();
      return null;
    },
    'notices.choices': async () => noticeChoices(here()),
    'notices.choose': async (choices) => {
      chooseNotices(here(), choices);
      tell(['news']);
      return null;
    },
    'notices.take': async (listening) => {
      const all = everywhere().map((workspace) => {
        const { signedIn } = workspace;
        const isShown = workspace === here();
        // Only the shown account is visible.
        const { say, again } = sayings(workspace, { ...listening, in_sight: listening.in_sight && isShown });
        const account = { id: accountIdOf(signedIn), name: signedIn.name, shown: isShown };
        return { say: say.map((notice) => ({ account, notice })), again };
      });
      const next = all.flatMap(({ again }) => again ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
      return { say: all.flatMap(({ say }) => say), again: next?.toISOString() ?? null };
    },
  };
}
