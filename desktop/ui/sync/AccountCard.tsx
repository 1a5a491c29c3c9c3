// The signed-in account, with Sign out.

import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { Leave } from '../account/Leave.tsx';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';

export function AccountCard() {
  const account = useLive('account', 'account.current');
  const [asking, setAsking] = useState(false);
  if (!account.value) return null;
  const { name, url } = account.value;
  return (
    <section className="account" aria-label={t('account.title')}>
      <p>
        <b>{name}</b>
        <small>{url}</small>
      </p>
      <button type="button" className="quiet" onClick={() => setAsking(true)}>
        <Icon name="leave" />
        {t('account.leave')}
      </button>
      {asking && <Leave account={account.value} onClose={() => setAsking(false)} />}
    </section>
  );
}
