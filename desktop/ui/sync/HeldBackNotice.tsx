// A sync that would change a large number of files at once: what it would do, and the button to continue.

import type { HeldBack } from '../../contract/state.ts';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { rich } from '../parts/rich.ts';
import { complain, showToast } from '../parts/Toast.tsx';

const goOn = () => call('sync.now', { confirm: true }).then(() => showToast(t('held.goesOn')), complain);

export function HeldBackNotice({ heldBack }: { heldBack: HeldBack }) {
  const { withdrawn, replaced, missing, deleted = 0, of } = heldBack;
  return (
    <section className="held" aria-labelledby="held">
      <h2 id="held">{t('held.title')}</h2>
      <p>{t('held.would', { count: of })}</p>
      <ul>
        {withdrawn > 0 && <li>{rich('held.withdrawn', { count: withdrawn, b: (text) => <b>{text}</b> })}</li>}
        {replaced > 0 && <li>{rich('held.replaced', { count: replaced, b: (text) => <b>{text}</b> })}</li>}
        {missing > 0 && <li>{rich('held.missing', { count: missing, b: (text) => <b>{text}</b> })}</li>}
        {deleted > 0 && <li>{rich('held.deleted', { count: deleted, b: (text) => <b>{text}</b> })}</li>}
      </ul>
      <p className="held-choice">
        <button type="button" className="primary" onClick={() => void goOn()}>
          <Icon name="check" />
          {t('held.right')}
        </button>
        <small>{t(missing + deleted > 0 ? 'held.putBack' : 'held.wait')}</small>
      </p>
    </section>
  );
}
