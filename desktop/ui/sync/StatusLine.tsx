// The lamp at the foot of the rail: the sync in two words, and spoken when it changes.

import { useLive } from '../live.ts';
import { Lamp } from '../parts/Lamp.tsx';
import { Meter } from '../parts/Meter.tsx';
import { addressOf } from '../place.ts';
import { percent } from '../words/amounts.ts';
import { howLongAgo } from '../words/dates.ts';
import { t } from '../words/texts.ts';
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
                ? t('edits.toSend', { count: status.value.pending_edits })
                : last
                  ? howLongAgo(last)
                  : ''}
          </small>
        </span>
      </a>
      {status.value.phase === 'syncing' && <Meter share={share} label={t('sync.progress')} />}
      {/* Progress is spoken by quarters, not at every byte. */}
      <p className="sr-only" role="status" aria-live="polite">
        {share === null ? short : t('sync.spoken', { short, percent: Math.floor(share * 4) * 25 })}
      </p>
    </div>
  );
}
