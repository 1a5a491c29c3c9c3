// The first screen: choose a server and sign in.

import { useEffect } from 'react';
import { t } from '../../language/texts.ts';
import { Lamp } from '../parts/Lamp.tsx';
import { SignInForm } from './SignInForm.tsx';

export function SignInPage() {
  useEffect(() => {
    document.title = `${t('signIn.title')} · Carrel`;
  }, []);
  return (
    <main className="sign-in" id="main" tabIndex={-1}>
      <div className="sign-in-scene">
        <Lamp light="lit" />
        <h1>Carrel</h1>
        <p>{t('signIn.promise')}</p>
      </div>
      <SignInForm isFirst />
    </main>
  );
}
