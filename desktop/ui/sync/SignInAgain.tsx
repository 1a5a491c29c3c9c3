// A fresh token for the same account, when the server no longer accepts the old one.

import { type FormEvent, useState } from 'react';
import { call } from '../host.ts';
import { say } from '../parts/Said.tsx';
import { t } from '../words/texts.ts';

export function SignInAgain({ url }: { url: string }) {
  const [failure, setFailure] = useState<string | null>(null);
  const enter = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token')).trim();
    if (!token) return setFailure(t('signIn.tokenShort'));
    try {
      await call('account.login', { url, token });
      say(t('signIn.back'));
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    }
  };
  return (
    <form className="form again" onSubmit={(event) => void enter(event)} noValidate>
      {failure && (
        <p className="form-failure" role="alert">
          {failure}
        </p>
      )}
      <label>
        <span>{t('signIn.newToken', { host: new URL(url).host })}</span>
        <input name="token" type="password" autoComplete="off" spellCheck={false} />
      </label>
      <footer>
        <button type="submit" className="primary">
          {t('signIn.again')}
        </button>
        <a href={`${url}/profile/settings`} target="_blank" rel="noreferrer">
          {t('signIn.getOne')}
        </a>
      </footer>
    </form>
  );
}
