// Who may merge and split users: callers who manage logins in the institution.

import { adminMay } from '../../contexts/institution';
import type { Call } from '../../http/call';

export const managesLogins = ({ me, institution }: Pick<Call, 'me' | 'institution'>): boolean =>
  adminMay('manage_user_logins', me, [institution.root.id], institution);
