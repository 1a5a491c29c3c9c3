// The list of keyboard shortcuts, opened with `?`.

import { useState } from 'react';
import { t } from '../language/texts.ts';
import { areKeysOn, shortcuts, switchKeys } from './keys.ts';
import { Dialog } from './parts/Dialog.tsx';

export const Shortcuts = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t('keys')} onClose={onClose}>
    <dl className="shortcuts">
      {shortcuts.map(([keys, says]) => (
        <div key={keys}>
          <dt>{keys.split(' ').map((key) => key && <kbd key={key}>{key}</kbd>)}</dt>
          <dd>{t(says)}</dd>
        </div>
      ))}
    </dl>
    <SingleKeys />
  </Dialog>
);

export function SingleKeys() {
  const [on, setOn] = useState(areKeysOn);
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={on}
        onChange={() => {
          switchKeys(!on);
          setOn(!on);
        }}
      />
      <span>{t('keys.single')}</span>
    </label>
  );
}
