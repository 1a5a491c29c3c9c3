// A test client of the sync feed.

import type { Change, ChangesPage } from '@carrel/shared/sync/protocol';
import type { Answer, Client } from './client';

export function follow(client: Client, limit?: number) {
  let cursor: string | undefined;
  let graded: readonly number[] = [];
  const ask = (): Promise<Answer> =>
    client.get('/api/sync/v1/changes', {
      ...(cursor !== undefined && { cursor }),
      ...(limit && { limit }),
      ...(graded.length > 0 && { graded_course_ids: graded }),
    });
  return {
    /** Chooses the courses whose students' work is sent, from the next request on. */
    choose(courses: readonly number[]): void {
      graded = courses;
    },
    /** One request from the client's cursor, which does not move. */
    ask,
    /** All changes since the last call. */
    async catchUp(): Promise<Change[]> {
      const all: Change[] = [];
      for (let more = true; more; ) {
        const answer = await ask();
        if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
        const page = answer.body as ChangesPage;
        all.push(...page.changes);
        cursor = page.cursor;
        more = page.has_more;
      }
      return all;
    },
  };
}
