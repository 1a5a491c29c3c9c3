// Files that a sync replaced or removed and that may not be on the server; each can be restored.

import type { RecoveredFile } from '../../contract/recovered.ts';
import type { SyncStatus } from '../../contract/state.ts';
import { size } from '../../language/amounts.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { complain, showToast } from '../parts/Toast.tsx';

const mostShown = 50;
const why = { replaced: 'recovered.replaced', removed: 'recovered.removed' } as const;

export function Recovered({ amount }: { amount: SyncStatus['recovered'] }) {
  const files = useLive('status', 'recovered.list');
  if (amount.files === 0) return null;
  const restore = ({ number }: RecoveredFile) =>
    void call('recovered.restore', { number }).then(({ file }) => showToast(t('recovered.restored', { where: file })), complain);
  return (
    <section aria-labelledby="recovered" className="verify">
      <header>
        <h2 id="recovered">{t('recovered.title')}</h2>
      </header>
      <p className="soft">{t('recovered.means', { count: amount.files, size: size(amount.bytes) })}</p>
      <ul className="issues">
        {(files.value ?? []).slice(0, mostShown).map((file) => (
          <li key={file.number}>
            <Icon name="history" />
            <div>
              <p>
                <bdi>{file.path}</bdi> <small>{size(file.size)}</small>
              </p>
              <p className="issue-advice">{t(why[file.why], { when: moment(file.at) })}</p>
            </div>
            <button type="button" onClick={() => restore(file)}>
              {t('recovered.restore')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
