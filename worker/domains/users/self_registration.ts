// Whether the institution lets people register themselves: nobody, observers, or everybody (reference 01 B4, `self_registration`).

import type { Institution } from '../../contexts/institution';

export const selfRegistrations = ['none', 'observer', 'all'] as const;
export type SelfRegistration = (typeof selfRegistrations)[number];

/** Kept with the settings of the root account, which every request knows. */
export const selfRegistrationOf = ({ root }: Pick<Institution, 'root'>): SelfRegistration =>
  selfRegistrations.find((one) => one === root.settings.self_registration) ?? 'none';

export const registersThemselves = (who: 'observer' | 'anybody', institution: Pick<Institution, 'root'>): boolean => {
  const allowed = selfRegistrationOf(institution);
  return allowed === 'all' || (who === 'observer' && allowed === 'observer');
};
