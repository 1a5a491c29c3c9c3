// The sign-in form: a server, then sign-in on the server's page or with an access token.

import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../parts/Said.tsx';
import { LanguageChoice } from '../settings/LanguageChoice.tsx';
import { browse } from './browse.ts';
import { WaitingForBrowser } from './WaitingForBrowser.tsx';

/** Turns what a user types for a server into an address; null when it cannot be one. */
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

export function SignInForm({ isFirst, onDone }: { isFirst: boolean; onDone?: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [server, setServer] = useState('');
  const browsing = useLive('account', 'account.browsing');
  const accounts = useLive('account', 'accounts.list');
  const byToken = useRef<HTMLButtonElement>(null);
  const address = serverAddress(server);

  const enter = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (asking) return;
    const isByToken = event.nativeEvent.submitter === byToken.current;
    const given = new FormData(event.currentTarget);
    const words = (name: string) => String(given.get(name) ?? '').trim();
    const [token, folder, client_id] = [words('token'), words('folder'), words('client_id')];
    if (!address) return setFailure(t('signIn.notAddress'));
    if (isByToken && !token) return setFailure(t('signIn.tokenNeeded'));
    setAsking(true);
    setFailure(null);
    const where = { url: address, ...(folder ? { folder } : {}) };
    try {
      if (isByToken) {
        const come = await call('account.login', { ...where, token });
        onDone?.();
        const isKnown = accounts.value?.some(({ id }) => id === come.id);
        if (!isFirst) say(t(isKnown ? 'account.renewed' : 'account.come', { name: come.name, institution: come.institution }));
      } else await browse({ ...where, ...(client_id ? { client_id } : {}) });
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    } finally {
      setAsking(false);
    }
  };
  /** Enter in the token field submits the token, although the browser button comes first. */
  const enterToken = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    byToken.current?.form?.requestSubmit(byToken.current);
  };

  if (browsing.value)
    return (
      <section className={isFirst ? 'form card' : 'form'} aria-label={t('browser.title')}>
        {isFirst && <h2>{t('browser.title')}</h2>}
        <WaitingForBrowser browsing={browsing.value} />
      </section>
    );
  return (
    <form className={isFirst ? 'form card' : 'form'} onSubmit={(event) => void enter(event)} noValidate>
      {isFirst && <h2>{t('signIn.title')}</h2>}
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
          data-first
          inputMode="url"
          autoComplete="url"
          spellCheck={false}
          placeholder="canvas.example.edu"
          value={server}
          onChange={(event) => setServer(event.target.value)}
        />
      </label>
      <button type="submit" className="primary wide" aria-disabled={asking || undefined}>
        <Icon name="open" />
        {asking ? t('signIn.asking') : t('browser.go')}
      </button>
      <p className="or">
        <span>{t('signIn.or')}</span>
      </p>
      <div className="beside-each-other">
        <label>
          <span>{t('signIn.token')}</span>
          <input name="token" type="password" autoComplete="off" spellCheck={false} onKeyDown={enterToken} />
        </label>
        <button ref={byToken} type="submit" aria-disabled={asking || undefined}>
          {t('signIn.enter')}
        </button>
      </div>
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
        <summary>{t('signIn.more')}</summary>
        <label>
          <span>{t('folder.study')}</span>
          <input name="folder" autoComplete="off" spellCheck={false} placeholder={t('signIn.usualPlace')} />
        </label>
        <label>
          <span>{t('signIn.clientId')}</span>
          <input name="client_id" autoComplete="off" spellCheck={false} aria-describedby="client-id" />
          <small id="client-id">{t('signIn.clientIdMeans')}</small>
        </label>
      </details>
      {isFirst && <LanguageChoice />}
    </form>
  );
}
