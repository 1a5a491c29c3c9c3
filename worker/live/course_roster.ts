// The turnstile of one course's roster: enrollments change one after the other.

import { DurableObject } from 'cloudflare:workers';
import type { Platform } from '../platform';

export class CourseRoster extends DurableObject<Platform> {}
