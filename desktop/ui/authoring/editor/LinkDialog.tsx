// The address of a link.

import type { Editor } from '@tiptap/react';
import { useState } from 'react';
import { t } from '../../../language/texts.ts';
import { Dialog } from '../../parts/Dialog.tsx';

/** A scheme is added where a person would leave it out. */
const addressOf = (typed: string): string => {
  const text = typed.trim();
  if (/^[\w.+-]+@[\w-]+\.[\w.-]+$/.test(text)) return `mailto:${text}`;
  return /^([a-z][a-z0-9+.-]*:|\/|#)/i.test(text) ? text : `https://${text}`;
};
const isSafe = (address: string): boolean => /^(https?:|mailto:|tel:|ftp:|\/|#)/i.test(address);

export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const before = String(editor.getAttributes('link').href ?? '');
  const [address, setAddress] = useState(before);
  const [isWrong, setWrong] = useState(false);
  const set = () => {
    const href = addressOf(address);
    if (!isSafe(href)) return setWrong(true);
    onClose();
    const chain = editor.chain().focus().extendMarkRange('link');
    const isEmpty = editor.state.selection.empty && before === '';
    if (isEmpty) chain.insertContent({ type: 'text', text: address.trim(), marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setMark('link', { href }).run();
  };
  return (
    <Dialog title={t('author.link')} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          set();
        }}
      >
        {isWrong && (
          <p className="form-failure" role="alert">
            {t('author.linkWrong')}
          </p>
        )}
        <label>
          <span>{t('author.address')}</span>
          <input
            data-first
            required
            inputMode="url"
            autoComplete="off"
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        </label>
        <footer>
          {before !== '' && (
            <button
              type="button"
              className="quiet danger"
              onClick={() => {
                onClose();
                editor.chain().focus().extendMarkRange('link').unsetMark('link').run();
              }}
            >
              {t('author.unlink')}
            </button>
          )}
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="primary">
            {t('author.setLink')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
