// Who is signed in where, and the way out.

import { useState } from 'react';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Icon } from '../parts/Icon.tsx';
import { complain } from '../parts/Said.tsx';

export function AccountCard() {
  const account = useLive('account', 'account.current');
  const [asking, setAsking] = useState(false);
  if (!account.value) return null;
  const { name, url } = account.value;
  return (
    <section className="account" aria-label="Account">
      <p>
        <b>{name}</b>
        <small>{url}</small>
      </p>
      <button type="button" className="quiet" onClick={() => setAsking(true)}>
        <Icon name="leave" />
        Sign out
      </button>
      {asking && (
        <Dialog title="Sign out?" onClose={() => setAsking(false)}>
          <div className="form">
            <p>
              The token is forgotten on this computer. Your files stay in their folder; notes that are not sent yet are kept for the next
              sign-in.
            </p>
            <footer>
              <span className="spring" />
              <button type="button" data-first className="quiet" onClick={() => setAsking(false)}>
                Stay
              </button>
              <button type="button" className="primary" onClick={() => void call('account.logout').catch(complain)}>
                Sign out
              </button>
            </footer>
          </div>
        </Dialog>
      )}
    </section>
  );
}
