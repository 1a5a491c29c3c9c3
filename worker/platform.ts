// Bindings and variables of the Worker. Only index.ts, the runner, jobs and Durable Objects use it; handlers get what they need from their call.

/** A message of the work queue: the job and the ids it needs; never content. */
export interface Job {
  readonly job: string;
  readonly progress_id?: number;
  readonly ids?: readonly number[];
  /** For a scheduled chore: its name, the minute of its tick, and how many runs in succession this makes. */
  readonly chore?: string;
  readonly at?: string;
  readonly step?: number;
}

/** Each Durable Object adds its own binding (`live/*`), so that this file imports none of them. */
export interface Platform {
  readonly DB: D1Database;
  readonly FILES: R2Bucket;
  readonly WORK: Queue<Job>;
  /** Signs upload tickets and temporary URLs. */
  readonly SIGNING_SECRET: string;
  /** Opens `/setup` once, for the first administrator. See docs/deploying.md. */
  readonly SETUP_SECRET?: string;
  /** Signs JWTs: P-256 keys as base64 of PKCS #8, the current one first. */
  readonly JWT_KEY?: string;
  /** Sends email: a Cloudflare binding, or an HTTP endpoint that takes JSON. See docs/email.md. */
  readonly EMAIL?: SendEmail;
  readonly MAIL_ENDPOINT?: string;
  readonly MAIL_TOKEN?: string;
  /** The sender address; without it no email is sent. */
  readonly MAIL_FROM?: string;
  /** Trusted hosts of identity providers that are not on the public web, `id.school.internal 127.0.0.1`. */
  readonly PROVIDER_HOSTS?: string;
  /** Public scheme and host of this service, for links in emails. */
  readonly PUBLIC_ADDRESS?: string;
  /** `1` when a proxy in front of the service sets `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly TRUST_PROXY?: string;
  /** `on` to read at replicas of the database; otherwise everything is read at the primary. */
  readonly READ_REPLICATION?: string;
  /** The number of Durable Objects that hold the sockets of live updates (8). */
  readonly LIVE_OBJECTS?: string;
  /** Size limits in megabytes: for a file of a submission (500), and for all uploads of a user for one submission (2000). */
  readonly SUBMISSION_FILE_MB?: string;
  readonly SUBMISSION_TOTAL_MB?: string;
  /** The platform's limit for the body of a request, in megabytes (100; larger plans allow 200 and 500), and the size of parts (16). */
  readonly UPLOAD_REQUEST_MB?: string;
  readonly UPLOAD_PART_MB?: string;
  /** The S3 interface of the bucket, for uploads that bypass the Worker. See docs/deploying.md. */
  readonly R2_S3_ENDPOINT?: string;
  readonly R2_S3_BUCKET?: string;
  readonly R2_S3_ACCESS_KEY_ID?: string;
  readonly R2_S3_SECRET_ACCESS_KEY?: string;
  /** The size of rate limit buckets; `off` never refuses. */
  readonly RATE_LIMIT?: string;
  /** Rate limits of the platform, if bound: requests per caller, login attempts per address. */
  readonly API_RATE?: RateLimit;
  readonly SIGN_IN_RATE?: RateLimit;
  /** `1` in tests: every response is checked against its declared resource. */
  readonly ORACLE?: string;
}
