// What the Worker is bound to. Only index.ts, the runner, jobs and Durable Objects see it; handlers get what they need from their call.

import type { Conversation } from './live/conversation';
import type { CourseRoster } from './live/course_roster';
import type { UserFeed } from './live/user_feed';

/** A message of the work queue: which job, and the ids it needs; never bodies. */
export interface Job {
  readonly job: string;
  readonly progress_id?: number;
  readonly ids?: readonly number[];
}

export interface Platform {
  readonly DB: D1Database;
  readonly FILES: R2Bucket;
  readonly WORK: Queue<Job>;
  readonly CONVERSATION: DurableObjectNamespace<Conversation>;
  readonly COURSE_ROSTER: DurableObjectNamespace<CourseRoster>;
  readonly USER_FEED: DurableObjectNamespace<UserFeed>;
  /** Signs upload tickets and short-lived addresses. */
  readonly SIGNING_SECRET: string;
  /** Opens `/setup` once, for the first administrator. See README. */
  readonly SETUP_SECRET?: string;
  /** Signs JWTs: EC keys on P-256 as base64 of PKCS #8, the one in use first. */
  readonly JWT_KEY?: string;
  /** How letters are sent, where they are: a binding of the platform, or an address that takes them as JSON. See README. */
  readonly EMAIL?: SendEmail;
  readonly MAIL_ENDPOINT?: string;
  readonly MAIL_TOKEN?: string;
  /** The sender of letters; without it none are sent. */
  readonly MAIL_FROM?: string;
  /** Hosts of authentication providers that are not on the public web, `id.school.internal 127.0.0.1`: of all others only public ones are asked. */
  readonly PROVIDER_HOSTS?: string;
  /** Scheme and host under which people reach this service, for what leads there from letters. */
  readonly PUBLIC_ADDRESS?: string;
  /** `1` where a proxy in front of the service sets `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly TRUST_PROXY?: string;
  /** `off` where the database has no read replicas: nobody's writes need be looked for, which saves each read a question to the cache. */
  readonly READ_REPLICATION?: string;
  /** How many megabytes a file of a submission may have (500), and all that one person uploads for one submission (2000). */
  readonly SUBMISSION_FILE_MB?: string;
  readonly SUBMISSION_TOTAL_MB?: string;
  /** How far a caller's bucket may fill; `off` refuses nobody. */
  readonly RATE_LIMIT?: string;
  /** The platform's limits, where they are bound: requests by one caller, tries to sign in from one address. */
  readonly API_RATE?: RateLimit;
  readonly SIGN_IN_RATE?: RateLimit;
  /** `1` in tests: every answer is held against its declared resource. */
  readonly ORACLE?: string;
}
