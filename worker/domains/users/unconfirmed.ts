// An address that its user has still to confirm.

import { randomText } from '../../database/tokens';

/** The state of a new address, with the code that the confirmation message asks to be sent back. */
export const unconfirmed = () => ({ workflow_state: 'unconfirmed' as const, confirmation_code: randomText(24) });
