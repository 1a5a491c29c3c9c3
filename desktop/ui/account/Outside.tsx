// Shown when the desk cannot be entered: without the key, or with its program gone.

import { Locked } from '../host.ts';
import { Lamp } from '../parts/Lamp.tsx';

export const Outside = ({ failure, readAgain }: { failure: Error; readAgain: () => Promise<void> }) => (
  <main className="sign-in" id="main">
    <div className="sign-in-scene">
      <Lamp light="dim" />
      <h1>{failure instanceof Locked ? 'This desk is locked' : 'The desk does not answer'}</h1>
      {failure instanceof Locked ? (
        <p>
          When the desk starts, it prints an address that ends in <code>#key=…</code> Open that whole address: the key keeps others on this
          computer away from your courses.
        </p>
      ) : (
        <p>{failure.message}</p>
      )}
      <button type="button" className="primary" onClick={() => void readAgain()}>
        Try again
      </button>
    </div>
  </main>
);
