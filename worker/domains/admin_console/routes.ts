// The console of administrators: one page, whose script asks the API in the name of whoever has signed in.

import { absolute, get } from '../../http/endpoint';
import { signedIn } from '../../site/page';
import { consolePage, doorPage } from './page';

export const adminConsoleRoutes = absolute(
  get('/admin', { can: 'anyone', returns: { json: null }, summary: 'Show the console of administrators' }, (call) => {
    const me = signedIn(call);
    // Who administers nothing is told what strangers are told.
    if (!me || me.adminLinks.length === 0) return doorPage();
    return consolePage({ name: me.user.name, institution: call.institution.root.name });
  }),
);
