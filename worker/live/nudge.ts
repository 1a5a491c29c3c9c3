// After a write: tells the sockets of those whom it concerns that there is something new.

import type { Call } from '../http/call';

export const nudge = async (_call: Call): Promise<void> => {};
