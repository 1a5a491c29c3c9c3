// Content licences in order, and usage rights (reference 02 §8.7).

interface License {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

const creative = (kind: string) => `http://creativecommons.org/licenses/${kind}/4.0`;

export const licenses: readonly License[] = [
  { id: 'private', name: 'Private (Copyrighted)', url: 'http://en.wikipedia.org/wiki/Copyright' },
  { id: 'cc_by_nc_nd', name: 'CC Attribution Non-Commercial No Derivatives', url: creative('by-nc-nd') },
  { id: 'cc_by_nc_sa', name: 'CC Attribution Non-Commercial Share Alike', url: creative('by-nc-sa') },
  { id: 'cc_by_nc', name: 'CC Attribution Non-Commercial', url: creative('by-nc') },
  { id: 'cc_by_nd', name: 'CC Attribution No Derivatives', url: creative('by-nd') },
  { id: 'cc_by_sa', name: 'CC Attribution Share Alike', url: creative('by-sa') },
  { id: 'cc_by', name: 'CC Attribution', url: creative('by') },
  { id: 'public_domain', name: 'Public Domain', url: 'http://en.wikipedia.org/wiki/Public_domain' },
];

export const justifications = ['own_copyright', 'used_by_permission', 'fair_use', 'public_domain', 'creative_commons'] as const;
export type Justification = (typeof justifications)[number];

export const licenseOf = (id: string): License | undefined => licenses.find((license) => license.id === id);

/** The default licence of a usage right. */
export const usualLicense = (justification: Justification): string => (justification === 'public_domain' ? 'public_domain' : 'private');
