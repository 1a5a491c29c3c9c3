// Words that are here and not yet there: that they wait, or why they were refused, and how to take them back.

import type { Unsent } from '../channels.ts';
import { call } from '../host.ts';
import { t } from '../words/texts.ts';
import { complain, say } from './Said.tsx';
import { Tag } from './Tag.tsx';

async function takeBack(id: string) {
  try {
    say((await call('outbox.take_back', { id })) ? t('outbox.takenBack') : t('outbox.gone'));
  } catch (failure) {
    complain(failure);
  }
}

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
    <button type="button" className="quiet" onClick={() => void takeBack(id)}>
      {t('outbox.takeBack')}
    </button>
  </p>
);
