// A list of the server, page by page.

import type { ServerRequest } from './asking';
import { nextIn } from './canvas/pace';
import type { Session } from './session';

export async function* pagesOf<T>(session: Session, first: string, asking: ServerRequest = {}): AsyncGenerator<readonly T[]> {
  for (let page: string | undefined = first; page !== undefined; ) {
    const response: Response = await session.ask(page, { ...asking, headers: { accept: 'application/json' } });
    yield (await response.json()) as readonly T[];
    page = nextIn(response.headers.get('link'));
  }
}
