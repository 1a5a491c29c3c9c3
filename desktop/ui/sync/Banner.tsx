// The banner above every screen: first sync, offline, or sign-in needed.

import type { ReactNode } from 'react';
import { howLongAgo } from '../../language/dates.ts';
import { shareDone, syncStatusText } from '../../language/sync_status.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { ProgressBar } from '../parts/ProgressBar.tsx';
import { rich } from '../parts/rich.ts';
import { type DeskRoute, hrefOf } from '../routes.ts';

const bold = { b: (text: ReactNode) => <b>{text}</b> };

export function Banner({ place }: { place: DeskRoute }) {
  const { value: status } = useLive('status', 'sync.status');
  if (!status || place.at === 'sync') return null;
  const { phase, last_complete_at } = status;
  if (phase === 'syncing' && !last_complete_at)
    return (
      <aside className="banner" aria-label={t('banner.first')}>
        <p>
          {rich('banner.filling', bold)} <span>{syncStatusText(status).sentence}</span>
        </p>
        <ProgressBar share={shareDone(status)} label={t('banner.firstProgress')} />
      </aside>
    );
  if (phase === 'offline')
    return (
      <aside className="banner" aria-label={t('offline')}>
        <p>
          {last_complete_at ? rich('banner.offlineSince', { ...bold, when: howLongAgo(last_complete_at) }) : rich('banner.offline', bold)}
        </p>
      </aside>
    );
  if (phase === 'sign in')
    return (
      <aside className="banner" data-tone="bad" aria-label={t('signIn.again')}>
        <p>
          <Icon name="warning" /> {rich('banner.signIn', { ...bold, a: (text) => <a href={hrefOf({ at: 'sync' })}>{text}</a> })}
        </p>
      </aside>
    );
  if (phase === 'paused')
    return (
      <aside className="banner" data-tone="bad" aria-label={t('paused')}>
        <p>
          <Icon name="warning" />{' '}
          {rich('banner.waits', {
            ...bold,
            why: t(status.held_back ? 'paused.many' : 'paused.moved'),
            a: (text) => <a href={hrefOf({ at: 'sync' })}>{text}</a>,
          })}
        </p>
      </aside>
    );
  return null;
}
