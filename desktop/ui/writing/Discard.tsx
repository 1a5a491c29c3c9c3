// Discards the draft of a dialog and closes it.

import { t } from '../../language/texts.ts';

export const Discard = ({ discard, onClose }: { discard: () => void; onClose: () => void }) => (
  <button
    type="button"
    className="quiet danger"
    onClick={() => {
      discard();
      onClose();
    }}
  >
    {t('writing.discard')}
  </button>
);
