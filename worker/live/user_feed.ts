// One person's open sockets. It says only "there is something new": a lost nudge costs latency, never data.

import { DurableObject } from 'cloudflare:workers';
import type { Platform } from '../platform';

export class UserFeed extends DurableObject<Platform> {}
