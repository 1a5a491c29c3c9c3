// The admin console: one page, whose script calls the API as the signed-in user.

import { absolute, get } from '../../http/endpoint';
import { signedIn } from '../../site/page';
import { consolePage, consoleSignInPage } from './page';

export const about = { title: 'Administration console', description: 'The pages of the administration console.' };

export const adminConsoleRoutes = absolute(
  get('/admin', { can: 'anyone', returns: { json: null }, summary: 'Show the admin console' }, (call) => {
    const me = signedIn(call);
    // Callers who administer nothing see the same page as anonymous visitors.
    if (!me || me.adminLinks.length === 0) return consoleSignInPage();
    return consolePage({ name: me.user.name, institution: call.institution.root.name });
  }),
);
