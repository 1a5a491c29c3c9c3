// Possible recipients that are not in the cache: requested from the server while the user types.

import type { PersonCard } from '../../contract/conversations';
import type { Workspace } from '../accounts/workspace';
import { Declined, Offline, Troubled } from '../server/session';

/** Shorter terms match too many users. */
const shortest = 2;
const asking = { tries: 1, patience: 8_000 };

interface RecipientJson {
  /** A number for users; a string for courses and groups. */
  readonly id: number | string;
  readonly name?: string;
}

/** Empty if the server cannot be reached: the people in the cache can still be written to. */
export async function findPeople({ session, signedIn }: Pick<Workspace, 'session' | 'signedIn'>, text: string): Promise<PersonCard[]> {
  if (text.length < shortest) return [];
  const query = new URLSearchParams({ search: text, type: 'user', per_page: '10' });
  try {
    const found = await session.json<readonly RecipientJson[]>(`/api/v1/search/recipients?${query}`, asking);
    return found.flatMap(({ id, name }) =>
      /^\d+$/.test(String(id)) && name && Number(id) !== signedIn.user_id ? [{ id: Number(id), name }] : [],
    );
  } catch (problem) {
    if (problem instanceof Offline || problem instanceof Troubled || problem instanceof Declined) return [];
    throw problem;
  }
}
