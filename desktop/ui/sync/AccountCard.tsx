// Who is signed in where, and the way out.

import { useState } from 'react';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Icon } from '../parts/Icon.tsx';
import { complain } from '../parts/Said.tsx';
import { t } from '../words/texts.ts';

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
      {asking && (
        <Dialog title={t('account.leaveAsk')} onClose={() => setAsking(false)}>
          <div className="form">
            <p>{t('account.leaveMeans')}</p>
            <footer>
              <span className="spring" />
              <button type="button" data-first className="quiet" onClick={() => setAsking(false)}>
                {t('account.stay')}
              </button>
              <button type="button" className="primary" onClick={() => void call('account.logout').catch(complain)}>
                {t('account.leave')}
              </button>
            </footer>
          </div>
        </Dialog>
      )}
    </section>
  );
}
