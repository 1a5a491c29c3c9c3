// Enforces what no page may do: navigate away, open windows, request devices, or be called from other frames.

import { type App, type IpcMainInvokeEvent, type Session, shell, type WebContents } from 'electron';
import { fileIn, isOurFrame, mayNavigate, mayUse, outside } from './rules.ts';

/** External links open only for the web and email. */
export function openOutside(address: string) {
  const url = outside(address);
  if (url !== undefined) void shell.openExternal(url);
}

/** The start of a sign-in; unencrypted only on this computer. */
export async function openSignIn(address: string) {
  const url = URL.parse(address);
  const isHere = url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isHere))) await shell.openExternal(url.href);
}

export function denyPermissions(session: Session) {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(mayUse(permission)));
  session.setPermissionCheckHandler((_contents, permission) => mayUse(permission));
  session.setDevicePermissionHandler(() => false);
}

export function wallIn(app: App, openFile: (id: number) => void) {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    const lead = (url: string) => {
      const id = fileIn(url);
      if (id) openFile(id);
      else openOutside(url);
    };
    contents.setWindowOpenHandler(({ url }) => {
      lead(url);
      return { action: 'deny' };
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => {
      if (mayNavigate(event.url, event.isMainFrame)) return;
      event.preventDefault();
      lead(event.url);
    });
  });
}

export const isOurSender = ({ senderFrame }: IpcMainInvokeEvent) => isOurFrame(senderFrame);
