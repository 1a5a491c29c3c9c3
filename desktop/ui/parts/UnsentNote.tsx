// Words that are here and not yet there: that they wait, or why they were refused, and how to take them back.

import type { Unsent } from '../channels.ts';
import { call } from '../host.ts';
import { complain, say } from './Said.tsx';
import { Tag } from './Tag.tsx';

async function takeBack(id: string) {
  try {
    say((await call('outbox.take_back', { id })) ? 'Taken back.' : 'It is with the server already.');
  } catch (failure) {
    complain(failure);
  }
}

export const UnsentNote = ({ unsent: { id, refused } }: { unsent: Unsent }) => (
  <p className="unsent">
    {refused === null ? (
      <Tag tone="busy" icon="hourglass">
        Kept here, not yet sent
      </Tag>
    ) : (
      <Tag tone="bad" icon="warning">
        Not taken by the server
      </Tag>
    )}
    {refused !== null && <small>{refused}</small>}
    <button type="button" className="quiet" onClick={() => void takeBack(id)}>
      Take back
    </button>
  </p>
);
