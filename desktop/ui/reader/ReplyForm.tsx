// A reply form: it grows with its text, saves every change, and sends on Ctrl or ⌘ with Enter.

import { type FormEvent, useEffect, useId, useRef } from 'react';
import type { Unfinished, WritingPlace } from '../../contract/writing.ts';
import { t } from '../../language/texts.ts';
import { Hanging } from '../inbox/Hanging.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { useWriting } from '../writing/useWriting.ts';

interface Props {
  readonly label: string;
  readonly place: WritingPlace;
  /** The user opened it, so it takes the focus. */
  readonly isOpen?: boolean;
  /** The number of files that may be attached. */
  readonly takes: 'none' | 'one' | 'many';
  /** Resolves when the outbox has it and the draft is deleted. */
  readonly onSend: (words: Unfinished) => Promise<unknown>;
  readonly onLeave?: () => void;
}

export const emptyReply: Unfinished = { text: '', files: [] };

export function ReplyForm({ label, place, isOpen = false, takes, onSend, onLeave }: Props) {
  const { words, isFound, change, settle, begin, discard, isBegun } = useWriting(place, emptyReply);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Places the cursor at the end of the draft.
    if (isFound && isOpen) field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [isFound, isOpen]);
  const { text, files = [] } = words;
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    try {
      await settle();
      await onSend({ text, files });
      begin();
      field.current?.focus();
      showToast(t('send.isWaiting'));
    } catch (failure) {
      complain(failure);
    }
  };
  return (
    <form className="reply-form" onSubmit={(event) => void send(event)}>
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={field}
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened this form
        autoFocus={isOpen}
        rows={isOpen ? 3 : 2}
        value={text}
        onChange={(event) => change({ text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
          if (event.key === 'Escape') onLeave?.();
        }}
      />
      {(takes !== 'none' || files.length > 0) && (
        <Hanging files={files} takes={takes} setFiles={(chosen) => change(({ files: before = [] }) => ({ files: chosen(before) }))} />
      )}
      <p>
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          {t('send')}
        </button>
        {onLeave && !isBegun && (
          <button type="button" className="quiet" onClick={onLeave}>
            {t('cancel')}
          </button>
        )}
        {isBegun && (
          <button
            type="button"
            className="quiet"
            onClick={() => {
              discard();
              onLeave?.();
            }}
          >
            {t('writing.discard')}
          </button>
        )}
        <small>{t('send.later')}</small>
      </p>
    </form>
  );
}
