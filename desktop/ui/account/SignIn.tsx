// The first screen: which server, and a token for it.

import { type FormEvent, useState } from 'react';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { Lamp } from '../parts/Lamp.tsx';
import { LanguageChoice } from '../settings/Settings.tsx';
import { t } from '../words/texts.ts';

/** What a person types for a server, as an address; null when it cannot be one. */
export function serverAddress(typed: string): string | null {
  const text = typed.trim();
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text);
  try {
    const url = new URL(/^[a-z]+:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`);
    return /^https?:$/.test(url.protocol) && url.hostname ? url.origin : null;
  } catch {
    return null;
  }
}

export function SignIn() {
  const [failure, setFailure] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [server, setServer] = useState('');
  const address = serverAddress(server);

  const enter = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const token = String(given.get('token')).trim();
    const folder = String(given.get('folder')).trim();
    if (!address) return setFailure(t('signIn.notAddress'));
    if (!token) return setFailure(t('signIn.tokenNeeded'));
    setAsking(true);
    setFailure(null);
    try {
      await call('account.login', { url: address, token, ...(folder ? { folder } : {}) });
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    } finally {
      setAsking(false);
    }
  };

  return (
    <main className="sign-in" id="main">
      <div className="sign-in-scene">
        <Lamp light="lit" />
        <h1>Carrel</h1>
        <p>{t('signIn.promise')}</p>
      </div>
      <form className="form card" onSubmit={(event) => void enter(event)} noValidate>
        <h2>{t('signIn.title')}</h2>
        {failure && (
          <p className="form-failure" role="alert">
            <Icon name="warning" />
            {failure}
          </p>
        )}
        <label>
          <span>{t('signIn.server')}</span>
          <input
            name="url"
            inputMode="url"
            autoComplete="url"
            spellCheck={false}
            placeholder="canvas.example.edu"
            value={server}
            onChange={(event) => setServer(event.target.value)}
          />
        </label>
        <label>
          <span>{t('signIn.token')}</span>
          <input name="token" type="password" autoComplete="off" spellCheck={false} />
        </label>
        <details>
          <summary>{t('signIn.whereToken')}</summary>
          <p>
            {t('signIn.howToken')}{' '}
            {address && (
              <a href={`${address}/profile/settings`} target="_blank" rel="noreferrer">
                {t('signIn.settingsOf', { host: new URL(address).host })}
              </a>
            )}
          </p>
        </details>
        <details>
          <summary>{t('signIn.elsewhere')}</summary>
          <label>
            <span>{t('folder.study')}</span>
            <input name="folder" autoComplete="off" spellCheck={false} placeholder={t('signIn.usualPlace')} />
          </label>
        </details>
        <LanguageChoice />
        <footer>
          <button type="submit" className="primary" disabled={asking}>
            {asking ? t('signIn.asking') : t('signIn.enter')}
          </button>
        </footer>
      </form>
    </main>
  );
}
