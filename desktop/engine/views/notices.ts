// Announcements of the institution: until they expire or the user closes them, even if that is not sent yet.

import type { NoticeView } from '../../contract/notices';
import type { AccountNotificationJson } from '../model/resources';
import { closingEntity } from '../outbox/intents';
import type { Outbox } from '../outbox/outbox';
import type { Cache } from '../store/cache';
import { prose } from '../text/prose';
import { leadIn } from './link_targets';

const icons = ['warning', 'information', 'question', 'error', 'calendar'] as const satisfies readonly NoticeView['icon'][];

export function noticesView(cache: Cache, outbox: Outbox, base: string, now: Date): NoticeView[] {
  const closed = new Set(outbox.pending().map(({ entity }) => entity));
  const at = now.toISOString();
  return cache
    .own<AccountNotificationJson>('account_notification')
    .filter(({ id, start_at, end_at }) => start_at <= at && end_at > at && !closed.has(closingEntity(id)))
    .toSorted((a, b) => b.start_at.localeCompare(a.start_at) || b.id - a.id)
    .map(({ id, subject, message, icon, author, start_at, end_at }) => ({
      id,
      title: subject,
      words: prose(message, { base, to: leadIn(cache) }),
      icon: icons.find((one) => one === icon) ?? 'information',
      author: author?.name ?? null,
      starts_at: start_at,
      ends_at: end_at,
    }));
}
