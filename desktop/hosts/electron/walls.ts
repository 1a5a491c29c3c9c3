// What no page of the desk may do: leave, open windows, ask for devices, or call from elsewhere.

import { type App, type IpcMainInvokeEvent, type Session, shell, type WebContents } from 'electron';
import { home, readings } from './schemes.ts';

/** Leaves the desk only for the web and for mail. */
export function openOutside(address: string) {
  const url = URL.parse(address);
  if (url && ['https:', 'mailto:'].includes(url.protocol)) void shell.openExternal(url.href);
}

/** Electron grants by default; a study desk needs no camera, no place and no devices. */
export function denyPermissions(session: Session) {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}

export function wallIn(app: App, openFile: (id: number) => void) {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.setWindowOpenHandler(({ url }) => {
      const id = fileIn(url);
      if (id) openFile(id);
      else openOutside(url);
      return { action: 'deny' };
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => {
      const { url, isMainFrame } = event;
      if (isMainFrame ? url.startsWith(home) && !fileIn(url) : url.startsWith(`${readings}/`)) return;
      event.preventDefault();
      const id = fileIn(url);
      if (id) openFile(id);
      else openOutside(url);
    });
  });
}

const fileIn = (url: string) => (url.startsWith(`${home}files/`) ? Number(/\/files\/(\d+)/.exec(url)?.[1]) : undefined);

/** Only the desk's own main frame may call. */
export const isOurs = ({ senderFrame }: IpcMainInvokeEvent) =>
  senderFrame !== null && senderFrame.parent === null && senderFrame.url.startsWith(home);
