// What an image shows, for those who do not see it.

import { useState } from 'react';
import { t } from '../../../language/texts.ts';
import { Dialog } from '../../parts/Dialog.tsx';

export function ImageDialog({ name, onClose, insert }: { name: string; onClose: () => void; insert: (alt: string) => void }) {
  const [alt, setAlt] = useState('');
  return (
    <Dialog title={t('author.image')} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          insert(alt.trim());
        }}
      >
        <p className="soft">
          <bdi>{name}</bdi>
        </p>
        <label>
          <span>{t('author.alt')}</span>
          <input data-first autoComplete="off" maxLength={250} value={alt} onChange={({ target }) => setAlt(target.value)} />
        </label>
        <p className="soft">
          <small>{t('author.altMeans')}</small>
        </p>
        <footer>
          <span className="spring" />
          <button type="button" className="quiet" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="primary">
            {t('author.insert')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
