// In the rail: the current account, and switching to another.

import { useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Lamp } from '../parts/Lamp.tsx';
import { Accounts } from './Accounts.tsx';
import { whereOf } from './where.ts';

export function Switcher() {
  const accounts = useLive('status', 'accounts.list');
  const [isOpen, setIsOpen] = useState(false);
  const shown = accounts.value?.find((one) => one.shown);
  const others = accounts.value?.filter((one) => !one.shown) ?? [];
  const asks = others.some(({ phase }) => phase === 'sign in' || phase === 'paused');
  const words = (
    <span>
      <b>Carrel</b>
      {shown && <small>{shown.name}</small>}
      {shown && others.length > 0 && <small className="brand-place">{whereOf(shown, accounts.value ?? [])}</small>}
    </span>
  );
  if (!shown || others.length === 0)
    return (
      <p className="brand">
        <Lamp light="lit" />
        {words}
      </p>
    );
  return (
    <>
      <button
        type="button"
        className="brand"
        data-asks={asks || undefined}
        aria-haspopup="dialog"
        title={asks ? t('account.otherAsks') : undefined}
        onClick={() => setIsOpen(true)}
      >
        <Lamp light="lit" />
        {words}
        <span className="sr-only">{t('account.switch')}</span>
      </button>
      {isOpen &&
        // Outside the rail's navigation, because it is a separate landmark.
        createPortal(
          <Dialog title={t('account.all')} onClose={() => setIsOpen(false)}>
            <Accounts onShown={() => setIsOpen(false)} />
          </Dialog>,
          document.body,
        )}
    </>
  );
}
