// The brake, seen from the desk: what the sync would do to many files at once, and the word that lets it go on.

import type { HeldBack } from '../channels.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { complain, say } from '../parts/Said.tsx';
import { count } from '../words/amounts.ts';

const goOn = () => call('sync.now', { confirm: true }).then(() => say('The sync goes on.'), complain);

export function Held({ heldBack }: { heldBack: HeldBack }) {
  const { withdrawn, replaced, missing, of } = heldBack;
  return (
    <section className="held" aria-labelledby="held">
      <h2 id="held">Very many files would change at once</h2>
      <p>Nothing has been changed yet. Of {count(of, 'file')} that are kept here, the sync would</p>
      <ul>
        {withdrawn > 0 && (
          <li>
            move <b>{count(withdrawn, 'file')}</b> to “Removed by teacher”, because they are no longer available from their courses
          </li>
        )}
        {replaced > 0 && (
          <li>
            replace <b>{count(replaced, 'file')}</b> by newer versions from the server; what you changed yourself is kept beside them
          </li>
        )}
        {missing > 0 && (
          <li>
            stop keeping <b>{count(missing, 'file')}</b> that are missing from the study folder; you can bring them back one by one
          </li>
        )}
      </ul>
      <p className="held-choice">
        <button type="button" className="primary" onClick={() => void goOn()}>
          <Icon name="check" />
          That is right, go on
        </button>
        <small>
          {missing > 0
            ? 'If you did not mean to delete them, put them back into the folder and sync again.'
            : 'If this looks wrong, wait and sync again later.'}
        </small>
      </p>
    </section>
  );
}
