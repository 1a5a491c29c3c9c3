// The turnstile of one conversation: messages and recipients change one after the other.

import { DurableObject } from 'cloudflare:workers';
import type { Platform } from '../platform';

export class Conversation extends DurableObject<Platform> {}
