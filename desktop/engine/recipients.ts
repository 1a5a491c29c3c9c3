// People that the desk has not heard of, whom the server lets one write to: asked for while the person types.

import type { PersonCard } from '../ui/views/letters';
import { Declined, Offline, Troubled } from './remote';
import type { Study } from './study';

/** Shorter words name half a school. */
const shortest = 2;
const asking = { tries: 1, patience: 8_000 };

interface RecipientJson {
  /** A number; of courses and the like it is a word. */
  readonly id: number | string;
  readonly name?: string;
}

/** Nobody, where the server cannot be reached: those that are known here can still be written to. */
export async function findPeople({ session, signedIn }: Pick<Study, 'session' | 'signedIn'>, text: string): Promise<PersonCard[]> {
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
