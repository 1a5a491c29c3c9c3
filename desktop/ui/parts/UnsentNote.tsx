// The note on unsent text: that it waits or why it was rejected, and how to undo it.

import type { Unsent } from '../../contract/work.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { cancelIntent, retry } from '../outbox/acts.ts';
import { Tag } from './Tag.tsx';

/** Whether a text waits to be sent, or was rejected. */
export const SendingTag = ({ refused, waits = 'unsent' }: { refused: string | null; waits?: MessageKey }) =>
  refused === null ? (
    <Tag tone="busy" icon="hourglass">
      {t(waits)}
    </Tag>
  ) : (
    <Tag tone="bad" icon="warning">
      {t('outbox.refused')}
    </Tag>
  );

export const UnsentNote = ({ unsent: { id, refused } }: { unsent: Unsent }) => (
  <p className="unsent">
    <SendingTag refused={refused} />
    {refused !== null && <small>{refused}</small>}
    {refused !== null && (
      <button type="button" onClick={() => void retry(id)}>
        {t('again')}
      </button>
    )}
    <button type="button" className="quiet" onClick={() => void cancelIntent(id, true)}>
      {t('outbox.takeBack')}
    </button>
  </p>
);
