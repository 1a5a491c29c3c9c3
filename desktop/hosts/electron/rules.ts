// What the windows of the desk may do, as values and pure decisions: the walls carry them out, and a test holds them to the checklist.

import { uiPolicy } from '../web/walls.ts';

/** The ui's own address, and that of what teachers wrote. */
export const home = 'app://desk/';
export const readings = 'course://reading';

/** `app:` serves the ui and the study folder's files, `course:` the texts. Neither is a file on disk. */
export const schemes = [
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true, stream: true } },
  { scheme: 'course', privileges: { standard: true, secure: true } },
] as const;

/** The ui's policy in Electron: its readings come from a scheme of their own. */
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

/** A file of the study folder that an address names. */
export const fileIn = (url: string): number | undefined =>
  url.startsWith(`${home}files/`) ? Number(/\/files\/(\d+)/.exec(url)?.[1]) : undefined;

/** The main frame stays in the ui; frames hold readings and nothing else. */
export const mayNavigate = (url: string, isMainFrame: boolean): boolean =>
  isMainFrame ? url.startsWith(home) && fileIn(url) === undefined : url.startsWith(`${readings}/`);

/** What is handed to the system's browser or mail program; undefined for everything that might be another program's door. */
export function outside(address: string): string | undefined {
  const url = URL.parse(address);
  return url && ['https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
}

/** A study desk needs no camera, no place and no devices; Electron would grant them. */
export const mayUse = (_permission: string): boolean => false;

/** Only the desk's own main frame may call. */
export const isOurs = (frame: { readonly parent: unknown; readonly url: string } | null): boolean =>
  frame !== null && frame.parent === null && frame.url.startsWith(home);
