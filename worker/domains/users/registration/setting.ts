// Whether users may register themselves: no one, observers, or everyone. The setting belongs to the password provider (reference 01 B4,
// `self_registration`); a trigger copies it to the root account's settings, which every request loads.

import type { Institution } from '../../../contexts/institution';

const selfRegistrations = ['none', 'observer', 'all'] as const;
export type SelfRegistration = (typeof selfRegistrations)[number];

export const selfRegistrationOf = ({ root }: Pick<Institution, 'root'>): SelfRegistration =>
  selfRegistrations.find((one) => one === root.settings.self_registration) ?? 'none';

export const registersThemselves = (who: 'observer' | 'anybody', institution: Pick<Institution, 'root'>): boolean => {
  const allowed = selfRegistrationOf(institution);
  return allowed === 'all' || (who === 'observer' && allowed === 'observer');
};
