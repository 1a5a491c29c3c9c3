// The sign-in form: a server, then sign-in on the server's page or with an access token.

import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Icon } from '../parts/Icon.tsx';
import { showToast } from '../parts/Toast.tsx';
import { LanguageChoice } from '../settings/LanguageChoice.tsx';
import { openBrowserSignIn } from './browse.ts';
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

interface Entered {
  readonly address: string | null;
  readonly token: string;
  readonly folder: string;
  readonly client_id: string;
  readonly isByToken: boolean;
}

const wordsOf = (form: HTMLFormElement, name: string) => String(new FormData(form).get(name) ?? '').trim();

/** Why it cannot be sent; null if it can. */
function refusalOf({ address, token, isByToken }: Entered): string | null {
  if (!address) return t('signIn.notAddress');
  return isByToken && !token ? t('signIn.tokenNeeded') : null;
}

function useSignIn({ isFirst, onDone }: { isFirst: boolean; onDone?: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const accounts = useLive('account', 'accounts.list');

  const byToken = async (account: { url: string; folder?: string; token: string }) => {
    const come = await call('account.login', account);
    onDone?.();
    const isKnown = accounts.value?.some(({ id }) => id === come.id);
    if (!isFirst) showToast(t(isKnown ? 'account.renewed' : 'account.come', { name: come.name, institution: come.institution }));
  };
  const enter = async (entered: Entered) => {
    if (asking) return;
    const { address, folder, token, client_id, isByToken } = entered;
    const refusal = refusalOf(entered);
    setFailure(refusal);
    if (refusal !== null || !address) return;
    setAsking(true);
    const where = { url: address, ...(folder ? { folder } : {}) };
    try {
      if (isByToken) await byToken({ ...where, token });
      else await openBrowserSignIn({ ...where, ...(client_id ? { client_id } : {}) });
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason));
    } finally {
      setAsking(false);
    }
  };
  return { failure, asking, enter };
}

export function SignInForm({ isFirst, onDone }: { isFirst: boolean; onDone?: () => void }) {
  const [server, setServer] = useState('');
  const browsing = useLive('account', 'account.browsing');
  const byToken = useRef<HTMLButtonElement>(null);
  const { failure, asking, enter } = useSignIn({ isFirst, onDone });
  const address = serverAddress(server);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const words = (name: string) => wordsOf(event.currentTarget, name);
    const isByToken = event.nativeEvent.submitter === byToken.current;
    void enter({ address, token: words('token'), folder: words('folder'), client_id: words('client_id'), isByToken });
  };
  /** Enter in the token field submits the token, although the browser button comes first. */
  const enterToken = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    byToken.current?.form?.requestSubmit(byToken.current);
  };

  const className = isFirst ? 'form card' : 'form';
  if (browsing.value)
    return (
      <section className={className} aria-label={t('browser.title')}>
        {isFirst && <h2>{t('browser.title')}</h2>}
        <WaitingForBrowser browsing={browsing.value} />
      </section>
    );
  return (
    <form className={className} onSubmit={onSubmit} noValidate>
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
      <WhereToken address={address} />
      <MoreFields />
      {isFirst && <LanguageChoice />}
    </form>
  );
}

function WhereToken({ address }: { address: string | null }) {
  return (
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
  );
}

function MoreFields() {
  return (
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
  );
}
