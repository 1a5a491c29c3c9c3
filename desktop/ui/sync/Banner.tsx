// Above any screen: that the shelves are being filled for the first time, that one reads offline, or that the server asks for a new sign-in.

import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { Meter } from '../parts/Meter.tsx';
import { addressOf, type Place } from '../place.ts';
import { howLongAgo } from '../words/dates.ts';
import { shareDone, standing } from './words.ts';

export function Banner({ place }: { place: Place }) {
  const { value: status } = useLive('status', 'sync.status');
  if (!status || place.at === 'sync') return null;
  const { phase, last_complete_at } = status;
  if (phase === 'syncing' && !last_complete_at)
    return (
      <aside className="banner" aria-label="First sync">
        <p>
          <b>Your shelves are being filled.</b> What has arrived can be read already. <span>{standing(status).sentence}</span>
        </p>
        <Meter share={shareDone(status)} label="Progress of the first sync" />
      </aside>
    );
  if (phase === 'offline')
    return (
      <aside className="banner" aria-label="Offline">
        <p>
          <b>Offline.</b> You are reading what is on this computer{last_complete_at && <>, complete {howLongAgo(last_complete_at)}</>}.
          Notes and marks are kept and sent later.
        </p>
      </aside>
    );
  if (phase === 'sign in')
    return (
      <aside className="banner" data-tone="bad" aria-label="Sign in again">
        <p>
          <Icon name="warning" /> <b>The server no longer accepts your token.</b> Everything here stays readable.{' '}
          <a href={addressOf({ at: 'sync' })}>Sign in again</a> to go on syncing.
        </p>
      </aside>
    );
  if (phase === 'paused')
    return (
      <aside className="banner" data-tone="bad" aria-label="Paused">
        <p>
          <Icon name="warning" /> <b>The sync waits for you.</b>{' '}
          {status.held_back ? 'Very many files would change at once.' : 'The study folder is not where it was.'}{' '}
          <a href={addressOf({ at: 'sync' })}>See what it is about</a>
        </p>
      </aside>
    );
  return null;
}
