// A submission that waits to be sent or was rejected, and what to do about it.

import type { WorkView } from '../../contract/work.ts';
import { moment } from '../../language/dates.ts';
import { holdWords } from '../../language/holds.ts';
import { t } from '../../language/texts.ts';
import { cancelIntent, retry } from '../outbox/acts.ts';
import { Icon } from '../parts/Icon.tsx';
import { Tag } from '../parts/Tag.tsx';
import { Handed } from './Handed.tsx';

export function OnItsWay({ of }: { of: NonNullable<WorkView['on_its_way']> }) {
  const { unsent, hold, since, may_take_back } = of;
  const isRefused = unsent.refused !== null;
  return (
    <div className="on-its-way" data-refused={isRefused}>
      <p className="on-its-way-state">
        {isRefused ? (
          <Tag tone="bad" icon="warning">
            {t('work.notTaken')}
          </Tag>
        ) : (
          <Tag tone="busy" icon="hourglass">
            {t('work.waits')}
          </Tag>
        )}
        <small>{t('work.handedInAt', { when: moment(since) })}</small>
      </p>
      {isRefused && (
        <p className="on-its-way-why">
          {hold && t(holdWords[hold])}
          {(hold === 'declined' || hold === 'trouble' || hold === null) && unsent.refused && <bdi> {unsent.refused}</bdi>}{' '}
          {t('work.nothingLost')}
        </p>
      )}
      <Handed of={of} />
      <p className="work-acts">
        {isRefused && (
          <button type="button" className="primary" onClick={() => void retry(unsent.id)}>
            <Icon name="sync" />
            {t(hold === 'newer attempt' ? 'work.handInAnyway' : 'again')}
          </button>
        )}
        {may_take_back && (
          <button type="button" className="quiet" onClick={() => void cancelIntent(unsent.id, true)}>
            {t('work.takeBack')}
          </button>
        )}
      </p>
    </div>
  );
}
