// Shown when the UI cannot reach its host: the key is missing or the program has stopped.

import { t } from '../../language/texts.ts';
import { Locked } from '../host.ts';
import { Lamp } from '../parts/Lamp.tsx';
import { rich } from '../parts/rich.ts';

export const Outside = ({ failure, readAgain }: { failure: Error; readAgain: () => Promise<void> }) => (
  <main className="sign-in" id="main" tabIndex={-1}>
    <div className="sign-in-scene">
      <Lamp light="dim" />
      <h1>{failure instanceof Locked ? t('outside.locked') : t('outside.silent')}</h1>
      {failure instanceof Locked ? <p>{rich('outside.key', { code: (text) => <code>{text}</code> })}</p> : <p>{failure.message}</p>}
      <button type="button" className="primary" onClick={() => void readAgain()}>
        {t('again')}
      </button>
    </div>
  </main>
);
