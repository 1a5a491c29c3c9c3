// All accounts on this computer: their status, which one is shown, adding one and signing out.

import { useState } from 'react';
import type { DeskAccount } from '../../contract/state.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Lamp } from '../parts/Lamp.tsx';
import { complain } from '../parts/Toast.tsx';
import { settleAll } from '../writing/keeping.ts';
import { stopBrowsing } from './browse.ts';
import { Leave } from './Leave.tsx';
import { SignInForm } from './SignInForm.tsx';
import { whereOf } from './where.ts';

const phases: Readonly<Record<DeskAccount['phase'], { readonly light: 'lit' | 'working' | 'dim' | 'asking'; readonly says: MessageKey }>> =
  {
    idle: { light: 'lit', says: 'account.fine' },
    syncing: { light: 'working', says: 'sync.syncing' },
    offline: { light: 'dim', says: 'offline' },
    'sign in': { light: 'asking', says: 'signIn.again' },
    paused: { light: 'asking', says: 'paused' },
  };

/** Addresses belong to one account, so switching starts at Today. */
export async function showDesk(id: string): Promise<void> {
  location.hash = '#/today';
  // Unsaved input belongs to the account that is shown, so it is saved first.
  await settleAll();
  await call('account.show', { id });
}

export function Accounts({ title, onShown }: { title?: string; onShown?: () => void }) {
  const accounts = useLive('status', 'accounts.list');
  const [leaving, setLeaving] = useState<DeskAccount | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const known = accounts.value?.length ?? 0;
  const stopAdding = () => {
    setIsAdding(false);
    void stopBrowsing().catch(complain);
  };
  return (
    <section className="accounts" aria-label={t('account.all')}>
      {title && <h2>{title}</h2>}
      <ul>
        {accounts.value?.map((account) => (
          <Seat
            key={account.id}
            account={account}
            where={whereOf(account, accounts.value ?? [])}
            show={() => void showDesk(account.id).then(onShown, complain)}
            leave={() => setLeaving(account)}
          />
        ))}
      </ul>
      <button type="button" onClick={() => setIsAdding(true)}>
        <Icon name="plus" />
        {t('account.add')}
      </button>
      {leaving && <Leave account={leaving} where={whereOf(leaving, accounts.value ?? [])} onClose={() => setLeaving(null)} />}
      {isAdding && (
        <Dialog key={known} title={t('account.add')} onClose={stopAdding}>
          <SignInForm isFirst={false} onDone={() => setIsAdding(false)} />
        </Dialog>
      )}
    </section>
  );
}

function Seat({ account, where, show, leave }: { account: DeskAccount; where: string; show: () => void; leave: () => void }) {
  const { name, url, shown, phase, pending_edits, keeping } = account;
  const { light, says } = phases[phase];
  return (
    <li className="seat" data-shown={shown || undefined}>
      <Lamp light={light} />
      <div>
        <p className="seat-who">
          <b>{name}</b> <span>{where}</span>
        </p>
        <p className="seat-stands">
          {t(says)}
          {pending_edits > 0 && <> · {t('edits.toSend', { count: pending_edits })}</>}
        </p>
      </div>
      <div className="seat-acts">
        {shown ? (
          <span className="seat-here">{t('account.shown')}</span>
        ) : (
          <button type="button" onClick={show} aria-label={t('account.showOf', { name, institution: where })}>
            {t('account.show')}
          </button>
        )}
        <button type="button" className="quiet" onClick={leave} aria-label={t('account.leaveOf', { name, institution: where })}>
          {t('account.leave')}
        </button>
      </div>
      <small>
        <bdi>{new URL(url).host}</bdi> ·{' '}
        {keeping.by === 'file' ? (
          <>
            {t('account.inFile')} <bdi className="path">{keeping.path}</bdi>
          </>
        ) : (
          t(keeping.by === 'system' ? 'account.inSystem' : 'account.inMemory')
        )}
      </small>
    </li>
  );
}
