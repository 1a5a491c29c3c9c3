// A place to write: it grows with what is written, and Ctrl or ⌘ with Enter sends.

import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { complain } from '../parts/Said.tsx';
import { t } from '../words/texts.ts';

interface Props {
  readonly label: string;
  /** It was asked for: it takes the focus. */
  readonly isOpen?: boolean;
  readonly onSend: (text: string) => Promise<unknown>;
  /** What else can be given with it. */
  readonly children?: ReactNode;
  readonly onLeave?: () => void;
}

export function ReplyForm({ label, isOpen = false, onSend, onLeave, children }: Props) {
  const [text, setText] = useState('');
  const id = useId();
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    try {
      await onSend(text);
      setText('');
    } catch (failure) {
      complain(failure);
    }
  };
  return (
    <form className="reply-form" onSubmit={(event) => void send(event)}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
        autoFocus={isOpen}
        rows={isOpen ? 3 : 2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
          if (event.key === 'Escape') onLeave?.();
        }}
      />
      {children}
      <p>
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          {t('send')}
        </button>
        {onLeave && (
          <button type="button" className="quiet" onClick={onLeave}>
            {t('cancel')}
          </button>
        )}
        <small>{t('send.later')}</small>
      </p>
    </form>
  );
}
