// A preview of what the choice changes, before it is applied.

import type { ReactNode } from 'react';
import type { ChoicesView } from '../../contract/choices.ts';
import { size } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import { rich } from '../parts/rich.ts';

interface Given {
  readonly view: ChoicesView;
  readonly onKeep: () => void;
  readonly onBack: () => void;
}

const b = (text: ReactNode) => <b>{text}</b>;

export function ConfirmChange({ view: { leaves, leaves_locked, stays, comes }, onKeep, onBack }: Given) {
  const isQuiet = leaves.files + stays + comes.files === 0;
  return (
    <section className="choose-change" aria-label={t('choose.change')}>
      <div role="status">
        {leaves.files > 0 && <p>{rich('choose.leaves', { files: leaves.files, size: size(leaves.bytes), b })}</p>}
        {leaves_locked > 0 && <p className="choose-locked">{t('choose.locked', { count: leaves_locked })}</p>}
        {stays > 0 && <p>{t('choose.stays', { count: stays })}</p>}
        {comes.files > 0 && <p>{rich('choose.comes', { files: comes.files, size: size(comes.bytes), b })}</p>}
        {isQuiet && <p>{t('choose.noChange')}</p>}
      </div>
      <footer>
        <button type="button" className="quiet" onClick={onBack}>
          {t('choose.back')}
        </button>
        <button type="button" className="primary" onClick={onKeep}>
          {leaves.bytes > 0 && comes.files === 0 ? t('choose.doFree', { size: size(leaves.bytes) }) : t('choose.do')}
        </button>
      </footer>
    </section>
  );
}
