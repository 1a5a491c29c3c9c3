// The sign-in and sign-out pages.

import type { RowOf } from '../../http/listing';
import { escapeHtml, signInFrame } from '../../site/frame';
import { htmlPage } from '../../site/page';
import type { authentication_providers } from '../authentication_providers/table';

export interface OtherWay {
  readonly address: string;
  readonly name: string;
}

interface Shown {
  readonly institution: string;
  /** The institution's label for the login name. */
  readonly handle?: string | undefined;
  readonly unique_id?: string;
  readonly return_to: string | undefined;
  readonly wrong?: string;
  readonly told?: string;
  readonly hasPasswords: boolean;
  readonly otherWays: readonly OtherWay[];
  /** URL for changing a forgotten password. */
  readonly changeAddress?: string | undefined;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

const names: Partial<Record<RowOf<typeof authentication_providers>['auth_type'], string>> = {
  openid_connect: 'your school account',
  google: 'Google',
  microsoft: 'Microsoft',
  linkedin: 'LinkedIn',
};

/** Identity providers that a user may choose on the page. */
export const otherWaysOf = (
  providers: readonly Pick<RowOf<typeof authentication_providers>, 'id' | 'auth_type'>[],
  return_to: string | undefined,
): OtherWay[] =>
  providers.flatMap(({ id, auth_type }) => {
    const name = names[auth_type];
    const query = return_to === undefined ? '' : `?${new URLSearchParams({ return_to })}`;
    return name === undefined ? [] : [{ name, address: `/login/openid_connect/${id}${query}` }];
  });

/** When an application requests access, the form's response may redirect to it without another page. */
function leadsTo(return_to: string | undefined): string[] {
  if (!return_to?.startsWith('/login/oauth2/auth')) return [];
  try {
    const { protocol, host } = new URL(new URL(return_to, 'https://here.invalid').searchParams.get('redirect_uri') ?? '');
    return /^[a-z][a-z0-9.+-]*:$/.test(protocol) && !/[\s;,'"]/.test(host)
      ? [protocol === 'https:' || protocol === 'http:' ? `${protocol}//${host}` : protocol]
      : [];
  } catch {
    return [];
  }
}

const hidden = (return_to: string | undefined) =>
  return_to === undefined ? '' : `<input type="hidden" name="return_to" value="${escapeHtml(return_to)}">`;

const passwordForm = ({ handle = 'Login', unique_id = '', return_to, wrong, changeAddress }: Shown) => {
  const described = wrong === undefined ? '' : ' aria-invalid="true" aria-describedby="wrong"';
  return `<form class="card" method="post" action="/login/canvas">
<label for="unique_id">${escapeHtml(handle)}</label>
<input type="text" id="unique_id" name="pseudonym_session[unique_id]" value="${escapeHtml(unique_id)}" required maxlength="255" autocomplete="username" autocapitalize="none" spellcheck="false"${described}${unique_id === '' ? ' autofocus' : ''}>
<label for="password">Password</label>
<input type="password" id="password" name="pseudonym_session[password]" required maxlength="1000" autocomplete="current-password"${described}${unique_id === '' ? '' : ' autofocus'}>
<label class="check"><input type="checkbox" name="pseudonym_session[remember_me]" value="1"> Stay signed in on this device</label>
${hidden(return_to)}<button>Sign in</button>
${changeAddress === undefined ? '' : `<p><a href="${escapeHtml(changeAddress)}">Forgotten your password?</a></p>`}</form>`;
};

export const loginPage = (shown: Shown) => {
  const { institution, wrong, told, hasPasswords, otherWays, status, headers, return_to } = shown;
  return htmlPage(
    signInFrame(
      `Sign in · ${institution}`,
      `<h1>Sign in</h1><p class="lead">${escapeHtml(institution)}</p>
${wrong === undefined ? '' : `<p class="wrong" id="wrong" role="alert">${escapeHtml(wrong)}</p>`}
${told === undefined ? '' : `<p class="told" role="status">${escapeHtml(told)}</p>`}
${hasPasswords ? passwordForm(shown) : ''}
${otherWays.map(({ address, name }) => `<p><a class="quiet button" href="${escapeHtml(address)}">Sign in with ${escapeHtml(name)}</a></p>`).join('\n')}`,
    ),
    { status, headers, formAction: leadsTo(return_to) },
  );
};

/** @param formAction allowed redirect targets, including the identity provider */
export const logoutPage = (name: string, formAction: readonly string[]) =>
  htmlPage(
    signInFrame(
      'Sign out',
      `<h1>Sign out</h1><p class="lead">You are signed in as ${escapeHtml(name)}.</p><form class="card" method="post" action="/logout"><button>Sign out</button></form>`,
    ),
    { formAction },
  );

/** An error during sign-in, with a link back. */
export const troublePage = (title: string, message: string, status: number) =>
  htmlPage(
    signInFrame(
      title,
      `<h1>${escapeHtml(title)}</h1><p class="wrong" role="alert">${escapeHtml(message)}</p><p><a href="/login">Sign in</a></p>`,
    ),
    {
      status,
    },
  );
