// What windows may do, as values and pure decisions: `walls.ts` enforces them, and a test compares them with Electron's security checklist.

import { uiPolicy } from '../web/walls.ts';

/** The origin of the UI, and the origin of course texts. */
export const deskAddress = 'app://desk/';
export const readingOrigin = 'course://reading';

/** `app:` serves the UI and the files of the study folder, `course:` the texts. Neither maps to paths on disk. */
export const schemes = [
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true, stream: true } },
  { scheme: 'course', privileges: { standard: true, secure: true } },
] as const;

/** The UI's content security policy in Electron, where readings have their own scheme. */
export const policy = uiPolicy.replace("frame-src 'self'", 'frame-src course:');

export const webPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  spellcheck: false,
} as const;

/** The file in the study folder that an address names. */
export const fileIn = (url: string): number | undefined =>
  url.startsWith(`${deskAddress}files/`) ? Number(/\/files\/(\d+)/.exec(url)?.[1]) : undefined;

/** The main frame stays in the UI; subframes show only readings. */
export const mayNavigate = (url: string, isMainFrame: boolean): boolean =>
  isMainFrame ? url.startsWith(deskAddress) && fileIn(url) === undefined : url.startsWith(`${readingOrigin}/`);

/** What may open in the system's browser, mail or calendar program; undefined for all other schemes, which could start other programs. */
export function outside(address: string): string | undefined {
  const url = URL.parse(address);
  return url && ['https:', 'mailto:', 'webcal:'].includes(url.protocol) ? url.href : undefined;
}

/** The desk needs no camera, location or devices; Electron would grant them by default. */
export const mayUse = (_permission: string): boolean => false;

/** Only the main frame of the UI may call. */
export const isOurFrame = (frame: { readonly parent: unknown; readonly url: string } | null): boolean =>
  frame !== null && frame.parent === null && frame.url.startsWith(deskAddress);
