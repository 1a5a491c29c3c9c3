// File transfers: speed, how many at once, and when they pause.

import type { TransferRules } from '../../contract/transfers.ts';
import { size } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { complain } from '../parts/Toast.tsx';

const speeds = [100_000, 500_000, 1_000_000, 5_000_000, 20_000_000];
const lanes = [1, 2, 4, 6, 8, 12];
/** A value set on the command line is offered as well. */
const among = (offered: readonly number[], set: number | null) =>
  set === null || offered.includes(set) ? offered : [...offered, set].sort((a, b) => a - b);

export function TransferSettings() {
  const transfers = useLive('status', 'transfers.look');
  if (!transfers.value) return null;
  const { rules } = transfers.value;
  const rule = (change: Partial<TransferRules>) => void call('transfers.rule', change).catch(complain);
  return (
    <fieldset className="notices">
      <legend>{t('transfers.title')}</legend>
      <p className="soft">{t('transfers.means')}</p>
      <label className="setting">
        <span>{t('transfers.bandwidth')}</span>
        <select
          value={rules.bandwidth ?? ''}
          onChange={({ target }) => rule({ bandwidth: target.value === '' ? null : Number(target.value) })}
        >
          <option value="">{t('transfers.noLimit')}</option>
          {among(speeds, rules.bandwidth).map((speed) => (
            <option key={speed} value={speed}>
              {t('transfers.perSecond', { size: size(speed) })}
            </option>
          ))}
        </select>
      </label>
      <label className="setting">
        <span>{t('transfers.lanes')}</span>
        <select value={rules.lanes} onChange={({ target }) => rule({ lanes: Number(target.value) })}>
          {among(lanes, rules.lanes).map((many) => (
            <option key={many}>{many}</option>
          ))}
        </select>
      </label>
      <label className="check">
        <input type="checkbox" checked={rules.wait_on_metered} onChange={({ target }) => rule({ wait_on_metered: target.checked })} />
        <span>{t('transfers.onMetered')}</span>
      </label>
      <label className="check">
        <input type="checkbox" checked={rules.wait_on_battery} onChange={({ target }) => rule({ wait_on_battery: target.checked })} />
        <span>{t('transfers.onBattery')}</span>
      </label>
    </fieldset>
  );
}
