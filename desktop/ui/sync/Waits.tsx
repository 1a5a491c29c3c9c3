// Why files are not transferred, paused or not enough space, and what to do about it.

import type { ReactNode } from 'react';
import type { NoRoom, WaitingTransfers } from '../../contract/transfers.ts';
import { size } from '../../language/amounts.ts';
import { waitingWords } from '../../language/sync_status.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { rich } from '../parts/rich.ts';
import { complain } from '../parts/Toast.tsx';
import { hrefOf } from '../routes.ts';

const b = (text: ReactNode) => <b>{text}</b>;

const pause = (paused: boolean) => void call('transfers.rule', { paused }).catch(complain);

export function PauseButton() {
  const transfers = useLive('status', 'transfers.look');
  if (!transfers.value) return null;
  const { paused } = transfers.value.rules;
  return (
    <button type="button" onClick={() => pause(!paused)}>
      <Icon name={paused ? 'forward' : 'hourglass'} />
      {t(paused ? 'transfers.resume' : 'transfers.pause')}
    </button>
  );
}

export const Waits = ({ waiting: { why, files, bytes } }: { waiting: WaitingTransfers }) => (
  <section className="held waits" aria-labelledby="waits">
    <h2 id="waits">{t('waiting.many', { files, size: size(bytes) })}</h2>
    <p>{t(waitingWords[why])}</p>
    <p className="held-choice">
      {why === 'hand' ? (
        <button type="button" className="primary" onClick={() => pause(false)}>
          {t('transfers.resume')}
        </button>
      ) : (
        <button type="button" className="primary" onClick={() => void call('sync.now', { urged: true }).catch(complain)}>
          {t('waiting.anyway')}
        </button>
      )}
      <small>{t('transfers.means')}</small>
    </p>
  </section>
);

export const Room = ({ room: { files, needs, free, reserve } }: { room: NoRoom }) => (
  <section className="held" aria-labelledby="room">
    <h2 id="room">{t('room.title')}</h2>
    <p>{rich('room.means', { files, needs: size(needs), free: size(free), reserve: size(reserve), b })}</p>
    <p className="held-choice">
      <a className="button primary" href={hrefOf({ at: 'choose' })}>
        {t('room.choose')}
      </a>
    </p>
  </section>
);
