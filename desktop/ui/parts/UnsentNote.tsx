// Words that are here and not yet there: that they wait, or why they were refused, and how to take them back.

import { retry, takeBack } from '../outbox/acts.ts';
import type { Unsent } from '../views/work.ts';
import { t } from '../words/texts.ts';
import { Tag } from './Tag.tsx';

export const UnsentNote = ({ unsent: { id, refused } }: { unsent: Unsent }) => (
  <p className="unsent">
    {refused === null ? (
      <Tag tone="busy" icon="hourglass">
        {t('unsent')}
      </Tag>
    ) : (
      <Tag tone="bad" icon="warning">
        {t('outbox.refused')}
      </Tag>
    )}
    {refused !== null && <small>{refused}</small>}
    {refused !== null && (
      <button type="button" onClick={() => void retry(id)}>
        {t('again')}
      </button>
    )}
    <button type="button" className="quiet" onClick={() => void takeBack(id)}>
      {t('outbox.takeBack')}
    </button>
  </p>
);
