// Signing in to the same account again, in the browser or with a new token, after the server has rejected its token.

import { type SubmitEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { openBrowserSignIn } from '../account/browse.ts';
import { WaitingForBrowser } from '../account/WaitingForBrowser.tsx';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { showToast } from '../parts/Toast.tsx';

export function SignInAgain({ url }: { url: string }) {
  const [failure, setFailure] = useState<string | null>(null);
  const browsing = useLive('account', 'account.browsing');
  const fail = (reason: unknown) => setFailure(reason instanceof Error ? reason.message : String(reason));
  const enter = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token')).trim();
    if (!token) return setFailure(t('signIn.tokenShort'));
    try {
      await call('account.login', { url, token });
      showToast(t('signIn.back'));
    } catch (reason) {
      fail(reason);
    }
  };
  const waiting = browsing.value?.url === url ? browsing.value : null;
  if (waiting)
    return (
      <section className="form again" aria-label={t('browser.title')}>
        <WaitingForBrowser browsing={waiting} />
      </section>
    );
  return (
    <form className="form again" onSubmit={(event) => void enter(event)} noValidate>
      {failure && (
        <p className="form-failure" role="alert">
          {failure}
        </p>
      )}
      <p>
        <button type="button" className="primary" onClick={() => void openBrowserSignIn({ url }).catch(fail)}>
          <Icon name="open" />
          {t('browser.go')}
        </button>
      </p>
      <p className="or">
        <span>{t('signIn.or')}</span>
      </p>
      <label>
        <span>{t('signIn.newToken', { host: new URL(url).host })}</span>
        <input name="token" type="password" autoComplete="off" spellCheck={false} />
      </label>
      <footer>
        <button type="submit">{t('signIn.again')}</button>
        <a href={`${url}/profile/settings`} target="_blank" rel="noreferrer">
          {t('signIn.getOne')}
        </a>
      </footer>
    </form>
  );
}
