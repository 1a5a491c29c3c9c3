// API client of the console: uses the session cookie and the CSRF token, which only pages of this host can read.

/** An error with a message for users. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const cookie = (name: string): string =>
  document.cookie
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

interface Said {
  readonly message?: unknown;
  readonly attribute?: unknown;
  readonly error_message?: unknown;
}

const meanings: Readonly<Record<string, string>> = {
  taken: 'is already taken',
  blank: 'is missing',
  too_long: 'is too long',
  too_short: 'is too short',
  invalid: 'is not valid',
};
const names: Readonly<Record<string, string>> = {
  unique_id: 'The login',
  sis_user_id: 'The SIS id',
  password: 'The password',
  name: 'The name',
};

/** All messages in an error body, at any depth. */
function messagesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { message, attribute, error_message } = body as Said;
  if (typeof error_message === 'string') return [error_message];
  if (typeof message === 'string') {
    const meaning = meanings[message];
    if (meaning && typeof attribute === 'string') return [`${names[attribute] ?? attribute} ${meaning}.`];
    return [message];
  }
  return Object.values(body).flatMap(messagesIn);
}

const usual: Readonly<Record<number, string>> = {
  401: 'You do not have permission to do this.',
  404: 'Not found. It may have been deleted.',
  429: 'Too many requests. Wait a minute, then try again.',
};

async function refusalOf(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status === 401 && (body as { status?: string } | undefined)?.status === 'unauthenticated')
    return new Refusal(401, 'Your session has expired. Reload this page and sign in.');
  const said = response.status >= 500 || response.status === 401 ? [] : messagesIn(body);
  const whole = said.length > 0 && response.status !== 404 ? [...new Set(said)].join(' ') : usual[response.status];
  const id = response.headers.get('x-request-context-id') ?? 'unknown';
  return new Refusal(
    response.status,
    whole ?? `Something went wrong on the server. Try again. If the problem persists, look for request ${id} in the logs.`,
  );
}

export interface ApiResponse<T> {
  readonly json: T;
  /** The next page of a list. */
  readonly next: string | undefined;
}

/** @param path below `/api/v1`, or the absolute URL of a next page */
export async function requestJson<T>(
  method: string,
  path: string,
  body?: object | FormData,
  signal?: AbortSignal,
): Promise<ApiResponse<T>> {
  const url = path.startsWith('http') ? new URL(path) : new URL(`/api/v1${path}`, location.origin);
  const isForm = body instanceof FormData;
  const response = await fetch(`${url.pathname}${url.search}`, {
    method,
    signal,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      ...(method === 'GET' ? {} : { 'X-CSRF-Token': cookie('_csrf_token') }),
      ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
    },
    body: body && (isForm ? body : JSON.stringify(body)),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, 'The server cannot be reached. Check your connection, then try again.');
  });
  if (!response.ok) throw await refusalOf(response);
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return { json: (response.status === 204 ? undefined : await response.json()) as T, next };
}

export const getJson = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await requestJson<T>('GET', path, undefined, signal)).json;
export const sendRequest = async <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object | FormData): Promise<T> =>
  (await requestJson<T>(method, path, body)).json;

/**
 * All of a short list, up to a maximum number of pages.
 * @param within the key of the list in a wrapped response
 */
export async function askAll<T>(path: string, signal?: AbortSignal, pages = 5, within?: string): Promise<T[]> {
  const all: T[] = [];
  for (let next: string | undefined = path, page = 0; next && page < pages; page += 1) {
    const result: ApiResponse<T[] | Record<string, T[]>> = await requestJson<T[] | Record<string, T[]>>('GET', next, undefined, signal);
    all.push(...(within ? ((result.json as Record<string, T[]>)[within] ?? []) : (result.json as T[])));
    next = result.next;
  }
  return all;
}
