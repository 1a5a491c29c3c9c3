// The lamp in the rail: the sync status in two words, announced when it changes.

import { useEffect, useRef, useState } from 'react';
import type { SyncStatus } from '../../contract/state.ts';
import { percent } from '../../language/amounts.ts';
import { howLongAgo } from '../../language/dates.ts';
import { shareDone, syncStatusText } from '../../language/sync_status.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Lamp } from '../parts/Lamp.tsx';
import { ProgressBar } from '../parts/ProgressBar.tsx';
import { useSettled } from '../parts/settled.ts';
import { hrefOf } from '../routes.ts';
import { useTimeLeft } from './timeLeft.ts';

export function StatusLine() {
  const status = useLive('status', 'sync.status');
  if (!status.value) return null;
  const { light, short } = syncStatusText(status.value);
  const share = status.value.phase === 'syncing' ? shareDone(status.value) : null;
  const last = status.value.last_complete_at;
  return (
    <div className="status-line">
      <a href={hrefOf({ at: 'sync' })} className="status-link">
        <Lamp light={light} />
        <span className="sr-only">{t('sync.title')}: </span>
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
      {status.value.phase === 'syncing' && <ProgressBar share={share} label={t('sync.progress')} />}
      <Spoken status={status.value} short={short} share={share} />
    </div>
  );
}

/** Milliseconds: shorter syncs are not announced. */
const worthAWord = 2500;

/** Progress is announced in quarters, with the time left. */
function Spoken({ status, short, share }: { status: SyncStatus; short: string; share: number | null }) {
  const left = useTimeLeft(status);
  const quarter = share === null ? null : Math.floor(share * 4) * 25;
  const said = useRef({ quarter, left });
  if (said.current.quarter !== quarter || said.current.left === null) said.current = { quarter, left };
  const words = quarter === null ? short : t('sync.spoken', { short, percent: quarter });
  // Once a sync was announced, its result is announced at once.
  const [isTold, setTold] = useState(false);
  const spoken = useSettled([words, said.current.left].filter(Boolean).join(', '), quarter === null || isTold ? 0 : worthAWord);
  useEffect(() => setTold(quarter !== null && spoken.startsWith(short)), [quarter, spoken, short]);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {spoken}
    </p>
  );
}
