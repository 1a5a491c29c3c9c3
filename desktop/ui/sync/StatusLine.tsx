// The lamp at the foot of the rail: the sync in two words, and spoken when it changes.

import { useLive } from '../live.ts';
import { Lamp } from '../parts/Lamp.tsx';
import { Meter } from '../parts/Meter.tsx';
import { addressOf } from '../place.ts';
import { count, percent } from '../words/amounts.ts';
import { howLongAgo } from '../words/dates.ts';
import { shareDone, standing } from './words.ts';

export function StatusLine() {
  const status = useLive('status', 'sync.status');
  if (!status.value) return null;
  const { light, short } = standing(status.value);
  const share = status.value.phase === 'syncing' ? shareDone(status.value) : null;
  const last = status.value.last_complete_at;
  return (
    <div className="status-line">
      <a href={addressOf({ at: 'sync' })} className="status-link">
        <Lamp light={light} />
        <span>
          <b>{short}</b>
          <small>
            {share !== null
              ? percent(share)
              : status.value.pending_edits > 0
                ? `${count(status.value.pending_edits, 'edit')} to send`
                : last
                  ? howLongAgo(last)
                  : ''}
          </small>
        </span>
      </a>
      {status.value.phase === 'syncing' && <Meter share={share} label="Progress of the sync" />}
      {/* Progress is spoken by quarters, not at every byte. */}
      <p className="sr-only" role="status" aria-live="polite">
        {short}
        {share !== null && `, ${Math.floor(share * 4) * 25} percent`}
      </p>
    </div>
  );
}
