// A dialog of the browser's own kind: it keeps focus inside, gives it back, and closes on Escape.

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { placeOf } from '../keep_focus.ts';
import { t } from '../words/texts.ts';
import { Icon } from './Icon.tsx';
import { Said } from './Said.tsx';

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    const giveBack = opener instanceof HTMLElement && opener !== document.body ? placeOf(opener) : undefined;
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
        // A chooser of files tells of its end, too.
        if (event.target === event.currentTarget) onClose();
      }}
      // The browser closes at a second Escape, asked or not.
      onClose={() => dialog.current?.isConnected && onClose()}
    >
      <div className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="quiet icon-only" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children}
      {/* What lies behind a dialog is neither seen nor heard. */}
      <Said />
    </dialog>
  );
}
