// Shown while a sign-in waits for the browser: what to do there, open the page again, or cancel.

import type { BrowsingView } from '../../contract/state.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { complain } from '../parts/Toast.tsx';
import { stopBrowsing } from './browse.ts';

export function WaitingForBrowser({ browsing }: { browsing: BrowsingView }) {
  const { url, address, failure } = browsing;
  const { host } = new URL(url);
  const stop = () => void stopBrowsing().catch(complain);
  if (failure !== null)
    return (
      <>
        <p className="form-failure" role="alert">
          <Icon name="warning" />
          {t('browser.failed', { host, why: failure })}
        </p>
        <footer>
          <button type="button" className="primary" onClick={stop}>
            {t('again')}
          </button>
        </footer>
      </>
    );
  return (
    <>
      <p role="status">{t('browser.waits', { host })}</p>
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          {t('browser.openAgain')}
        </a>
      </p>
      <footer>
        <button type="button" className="quiet" onClick={stop}>
          {t('browser.stop')}
        </button>
      </footer>
    </>
  );
}
