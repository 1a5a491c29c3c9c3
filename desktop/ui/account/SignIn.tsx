// The first screen: which server, and who one is there.

import { Lamp } from '../parts/Lamp.tsx';
import { t } from '../words/texts.ts';
import { SignInForm } from './SignInForm.tsx';

export const SignIn = () => (
  <main className="sign-in" id="main">
    <div className="sign-in-scene">
      <Lamp light="lit" />
      <h1>Carrel</h1>
      <p>{t('signIn.promise')}</p>
    </div>
    <SignInForm isFirst />
  </main>
);
