// The shared secret of a tool of LTI 1.1, sealed for one tool.

import { seal, unseal } from '../../database/seal';
import type { Platform } from '../../platform';

const purpose = 'secrets of external tools';
type Keys = Pick<Platform, 'SIGNING_SECRET'>;

export const sealToolSecret = ({ SIGNING_SECRET }: Keys, secret: string, deployment_id: string): Promise<string> =>
  seal(SIGNING_SECRET, purpose, secret, deployment_id);

/** The secret; undefined where the tool has none. */
export const openToolSecret = async (
  { SIGNING_SECRET }: Keys,
  { shared_secret, deployment_id }: { readonly shared_secret: string | null; readonly deployment_id: string },
): Promise<string | undefined> => (shared_secret === null ? undefined : unseal(SIGNING_SECRET, purpose, shared_secret, deployment_id));
