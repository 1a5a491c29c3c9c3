// A native dialog: it traps the focus, returns it when closed, and closes on Escape.

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../../language/texts.ts';
import { domPositionOf } from '../keep_focus.ts';
import { Icon } from './Icon.tsx';
import { Toast } from './Toast.tsx';

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    const giveBack = opener instanceof HTMLElement && opener !== document.body ? domPositionOf(opener) : undefined;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      element?.close();
      giveBack?.();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        // The `cancel` event of a file chooser bubbles up to here, too.
        if (event.target === event.currentTarget) onClose();
      }}
      // Browsers close a dialog at the second Escape without asking.
      onClose={() => dialog.current?.isConnected && onClose()}
    >
      <div className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="quiet icon-only" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children}
      {/* Toasts appear inside the dialog, because the page behind it is inert. */}
      <Toast />
    </dialog>
  );
}
