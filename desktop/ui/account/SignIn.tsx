// The first screen: which server, and a token for it.

import { type FormEvent, useState } from 'react';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { Lamp } from '../parts/Lamp.tsx';

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
    if (!address) return setFailure('That is not a server address. It looks like canvas.example.edu.');
    if (!token) return setFailure('A token is needed. The server gives you one, see below.');
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
        <p>A desk of your own, with your courses on it. It stays when the network goes.</p>
      </div>
      <form className="form card" onSubmit={(event) => void enter(event)} noValidate>
        <h2>Sign in to your server</h2>
        {failure && (
          <p className="form-failure" role="alert">
            <Icon name="warning" />
            {failure}
          </p>
        )}
        <label>
          <span>Server address</span>
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
          <span>Access token</span>
          <input name="token" type="password" autoComplete="off" spellCheck={false} />
        </label>
        <details>
          <summary>Where do I get a token?</summary>
          <p>
            Open your account’s settings on the server, choose “New access token”, and paste here what it shows. The token stays on this
            computer.{' '}
            {address && (
              <a href={`${address}/profile/settings`} target="_blank" rel="noreferrer">
                Open the settings of {new URL(address).host}
              </a>
            )}
          </p>
        </details>
        <details>
          <summary>Keep files somewhere else</summary>
          <label>
            <span>Study folder</span>
            <input name="folder" autoComplete="off" spellCheck={false} placeholder="Leave empty for the usual place" />
          </label>
        </details>
        <footer>
          <button type="submit" className="primary" disabled={asking}>
            {asking ? 'Asking the server…' : 'Sign in'}
          </button>
        </footer>
      </form>
    </main>
  );
}
