// Whether the institution lets people register themselves: nobody, observers, or everybody. Its own authentication provider says so
// (reference 01 B4, `self_registration`); a trigger keeps the word with the settings of the root account, which every request knows.

import type { Institution } from '../../../contexts/institution';

const selfRegistrations = ['none', 'observer', 'all'] as const;
export type SelfRegistration = (typeof selfRegistrations)[number];

export const selfRegistrationOf = ({ root }: Pick<Institution, 'root'>): SelfRegistration =>
  selfRegistrations.find((one) => one === root.settings.self_registration) ?? 'none';

export const registersThemselves = (who: 'observer' | 'anybody', institution: Pick<Institution, 'root'>): boolean => {
  const allowed = selfRegistrationOf(institution);
  return allowed === 'all' || (who === 'observer' && allowed === 'observer');
};
