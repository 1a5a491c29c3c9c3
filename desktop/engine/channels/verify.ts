// The channels for verifying and repairing.

import type { Answer, Given } from '../../contract/channels';
import type { Study } from '../accounts/study';

export const verifyChannels = ({ here }: { readonly here: () => Study }) => ({
  'verify.run': async (): Promise<Answer<'verify.run'>> => {
    const { checked, edited, issues, proven, as_of, is_asked, has_hashes } = await here().verify();
    return {
      checked,
      edited: edited.length,
      issues: issues.map(({ what, where, key }) => ({ what, where, key })),
      courses: proven.map(({ name, files, here: kept, is_identical, as_of: told }) => ({
        name,
        files,
        here: kept,
        is_identical,
        as_of: told,
      })),
      as_of,
      is_asked,
      has_hashes,
    };
  },
  'verify.repair': async ({ keys }: Given<'verify.repair'>) => {
    await here().repair(keys);
    return null;
  },
});
