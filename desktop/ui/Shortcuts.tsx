// The list of shortcuts, under `?`.

import { shortcuts } from './keys.ts';
import { Dialog } from './parts/Dialog.tsx';
import { t } from './words/texts.ts';

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
  </Dialog>
);
