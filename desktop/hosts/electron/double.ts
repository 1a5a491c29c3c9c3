// A double of Electron for tests of the main process: the built program runs in plain Node, with the real engine in a process of its own, and without
// windows. A test compares what it has with Electron's declarations, and drives it by messages between the processes.

import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';

/** The members of a type that the double has, with Electron's own signatures. */
type Has<T, Name extends keyof T> = Pick<T, Name>;

/** What was called, in order: the class or module, the method and what it was given. */
const calls: (readonly [of: string, method: string, given: readonly unknown[]])[] = [];
const note = (of: string, method: string, ...given: readonly unknown[]): void => void calls.push([of, method, given]);

/** Events that the program listens to, by class or module. */
const listened = new Map<string, Set<string>>();

class Emitter extends EventEmitter {
  constructor(readonly of: string) {
    super();
    this.on('newListener', (event: string) => {
      if (event !== 'newListener') listened.set(of, (listened.get(of) ?? new Set()).add(event));
    });
  }
}

/** An event that a listener can prevent. */
function preventable<T extends object>(given: T) {
  const event = {
    ...given,
    isPrevented: false,
    preventDefault() {
      event.isPrevented = true;
    },
  };
  return event;
}

const home = process.env.CARREL_DOUBLE_HOME ?? '';

const appParts: Has<
  Electron.App,
  | 'enableSandbox'
  | 'getPath'
  | 'getPreferredSystemLanguages'
  | 'isPackaged'
  | 'quit'
  | 'requestSingleInstanceLock'
  | 'setAppUserModelId'
  | 'whenReady'
> = {
  isPackaged: false,
  enableSandbox: () => note('App', 'enableSandbox'),
  getPath: (name) => join(home, name),
  getPreferredSystemLanguages: () => ['en-GB'],
  quit() {
    note('App', 'quit');
    const event = preventable({});
    app.emit('before-quit', event);
    if (!event.isPrevented) process.exit(0);
  },
  requestSingleInstanceLock: () => process.env.CARREL_DOUBLE_SECOND !== '1',
  setAppUserModelId: (id) => note('App', 'setAppUserModelId', id),
  whenReady: () => new Promise((resolve) => setImmediate(resolve)),
};
export const app = Object.assign(new Emitter('App'), appParts);

const webContentsOf = (window: BrowserWindow) =>
  Object.assign(new Emitter('WebContents'), {
    send: (channel: string, ...given: unknown[]) => note('WebContents', 'send', channel, ...given),
    setWindowOpenHandler(handler) {
      window.openHandler = handler;
    },
  } satisfies Has<Electron.WebContents, 'send' | 'setWindowOpenHandler'>);

const windows: BrowserWindow[] = [];

export class BrowserWindow
  extends Emitter
  implements Has<Electron.BrowserWindow, 'focus' | 'hide' | 'isDestroyed' | 'isFocused' | 'isMinimized' | 'loadURL' | 'restore' | 'show'>
{
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | undefined;
  readonly webContents = webContentsOf(this);

  constructor(readonly options: Electron.BrowserWindowConstructorOptions) {
    super('BrowserWindow');
    windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
    setImmediate(() => this.emit('ready-to-show'));
  }

  loadURL(url: string): Promise<void> {
    note('BrowserWindow', 'loadURL', url);
    return Promise.resolve();
  }
  show = () => note('BrowserWindow', 'show');
  hide = () => note('BrowserWindow', 'hide');
  focus = () => note('BrowserWindow', 'focus');
  restore = () => note('BrowserWindow', 'restore');
  isDestroyed = () => false;
  isFocused = () => false;
  isMinimized = () => false;
}

export const nativeTheme: Has<Electron.NativeTheme, 'shouldUseDarkColors'> = { shouldUseDarkColors: false };

export const dialog = {
  showMessageBox: (options: Electron.MessageBoxOptions) => {
    note('Dialog', 'showMessageBox', options.message);
    return Promise.resolve({ response: 0, checkboxChecked: false });
  },
};

type Handler = Parameters<Electron.IpcMain['handle']>[1];
const handlers = new Map<string, Handler>();
export const ipcMain: Has<Electron.IpcMain, 'handle'> = { handle: (channel, handler) => void handlers.set(channel, handler) };

export const powerMonitor = Object.assign(new Emitter('PowerMonitor'), {
  isOnBatteryPower: () => false,
} satisfies Has<Electron.PowerMonitor, 'isOnBatteryPower'>);

type Permissions = Has<Electron.Session, 'setDevicePermissionHandler' | 'setPermissionCheckHandler' | 'setPermissionRequestHandler'>;
const permissions: Partial<Record<keyof Permissions, unknown>> = {};
const defaultSession: Permissions = {
  setDevicePermissionHandler: (handler) => void Object.assign(permissions, { setDevicePermissionHandler: handler }),
  setPermissionCheckHandler: (handler) => void Object.assign(permissions, { setPermissionCheckHandler: handler }),
  setPermissionRequestHandler: (handler) => void Object.assign(permissions, { setPermissionRequestHandler: handler }),
};
export const session = { defaultSession };

type Serve = Parameters<Electron.Protocol['handle']>[1];
const served = new Map<string, Serve>();
export const protocol: Has<Electron.Protocol, 'handle' | 'registerSchemesAsPrivileged'> = {
  handle: (scheme, serve) => void served.set(scheme, serve),
  registerSchemesAsPrivileged: (schemes) => note('Protocol', 'registerSchemesAsPrivileged', ...schemes.map(({ scheme }) => scheme)),
};

/** Files only: the desk asks for nothing else here. */
export const net = { fetch: async (url: string) => new Response(new Uint8Array(await readFile(fileURLToPath(url)))) };

export const shell: Has<Electron.Shell, 'openExternal' | 'openPath' | 'showItemInFolder' | 'trashItem'> = {
  openExternal: async (url) => note('Shell', 'openExternal', url),
  openPath: async (path) => {
    note('Shell', 'openPath', path);
    return '';
  },
  showItemInFolder: (path) => note('Shell', 'showItemInFolder', path),
  trashItem: async (path) => note('Shell', 'trashItem', path),
};

/** As strong as turning the bytes round, which is enough to see whether a token is stored as it is. */
const turned = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
export const safeStorage: Has<
  Electron.SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
> = {
  decryptStringAsync: async (bytes) => ({ result: turned(bytes).toString(), shouldReEncrypt: false }),
  encryptStringAsync: async (text) => turned(Buffer.from(text)),
  getSelectedStorageBackend: () => (process.env.CARREL_DOUBLE_STORAGE as 'gnome_libsecret' | undefined) ?? 'gnome_libsecret',
  isAsyncEncryptionAvailable: async () => true,
};

export class Notification extends Emitter implements Has<Electron.Notification, 'show'> {
  static isSupported = () => true;
  constructor(readonly options: Electron.NotificationConstructorOptions) {
    super('Notification');
  }
  show = () => note('Notification', 'show', this.options.title);
}

export const Menu = { buildFromTemplate: (template: readonly Electron.MenuItemConstructorOptions[]) => template };

export const nativeImage = {
  createFromDataURL: (url: string) => {
    const image = { resize: () => image, url };
    return image;
  },
};

export class Tray extends Emitter {
  constructor(_image: unknown) {
    super('Tray');
  }
  setToolTip = (text: string) => note('Tray', 'setToolTip', text);
  setContextMenu = (menu: readonly Electron.MenuItemConstructorOptions[] | null) =>
    note('Tray', 'setContextMenu', ...(menu ?? []).flatMap(({ label }) => label ?? []));
}

let engine: ChildProcess | undefined;

/** The port of a process of Electron, in a process of Node. */
const portOfChild = `data:text/javascript,${encodeURIComponent(`
import { EventEmitter } from 'node:events';
const port = new EventEmitter();
port.postMessage = (message) => process.connected && process.send(message);
process.on('message', (data) => port.emit('message', { data }));
process.parentPort = port;`)}`;

export const utilityProcess: Has<typeof Electron.utilityProcess, 'fork'> = {
  fork(path, args = [], { env } = {}) {
    note('UtilityProcess', 'fork', path);
    const child = fork(path, args, { env: env as NodeJS.ProcessEnv, execArgv: ['--import', portOfChild], serialization: 'advanced' });
    engine = child;
    return Object.assign(child, { postMessage: (message: unknown) => void (child.connected && child.send(message as object)) }) as never;
  },
};

/** What a test asks of the double, each by its name. */
const answers: Readonly<Record<string, (given: never) => unknown>> = {
  calls: () => calls,
  listened: () => Object.fromEntries([...listened].map(([of, events]) => [of, [...events]])),
  surface: () => surface(),
  window: () => ({ count: windows.length, options: windows.at(-1)?.options }),
  /** A call from a page; `from` is the address of its frame. */
  call: ({ channel, given, from, isSubframe }: { channel: string; given: unknown; from: string; isSubframe?: boolean }) =>
    handlers.get('channel')?.({ senderFrame: { url: from, parent: isSubframe ? {} : null } } as never, channel, given),
  async fetch({ url }: { url: string }) {
    const response = await served.get(new URL(url).protocol.slice(0, -1))?.(new Request(url) as never);
    return response && { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  },
  permission: ({ permission }: { permission: string }) => {
    let answer: unknown;
    (permissions.setPermissionRequestHandler as (contents: unknown, name: string, say: (may: boolean) => void) => void)(
      {},
      permission,
      (may) => {
        answer = may;
      },
    );
    const check = permissions.setPermissionCheckHandler as (contents: unknown, name: string) => boolean;
    const device = permissions.setDevicePermissionHandler as () => boolean;
    return [answer, check({}, permission), device()];
  },
  openWindow: ({ url }: { url: string }) => windows.at(-1)?.openHandler?.({ url } as never),
  /** Emits an event that can be prevented; returns whether it was. */
  event: ({ of, event, ...given }: { of: 'app' | 'window' | 'contents'; event: string }) => {
    const target = of === 'app' ? app : of === 'window' ? windows.at(-1) : windows.at(-1)?.webContents;
    const about = preventable(given);
    target?.emit(event, about);
    return about.isPrevented;
  },
  killEngine: () => engine?.kill('SIGKILL'),
  quit: () => app.quit(),
};

/** All members of the double, by the class or module of Electron's declarations. */
function surface(): Record<string, readonly string[]> {
  const own = (thing: object) => Object.keys(thing).filter((name) => !name.startsWith('_'));
  const methods = (type: { readonly prototype: object }) =>
    Object.getOwnPropertyNames(type.prototype).filter((name) => name !== 'constructor');
  const window = windows.at(-1);
  return {
    App: own(appParts),
    BrowserWindow: [
      'show',
      'hide',
      'focus',
      'restore',
      'isDestroyed',
      'isFocused',
      'isMinimized',
      'webContents',
      ...methods(BrowserWindow),
    ],
    WebContents: window ? ['send', 'setWindowOpenHandler'] : [],
    NativeTheme: own(nativeTheme),
    Dialog: own(dialog),
    IpcMain: own(ipcMain),
    PowerMonitor: ['isOnBatteryPower'],
    Session: own(defaultSession),
    Protocol: own(protocol),
    Net: own(net),
    Shell: own(shell),
    SafeStorage: own(safeStorage),
    Notification: ['show', 'isSupported'],
    Menu: own(Menu),
    NativeImage: ['createFromDataURL', 'resize'],
    Tray: ['setToolTip', 'setContextMenu'],
    UtilityProcess: ['fork', 'postMessage'],
  };
}

process.on('message', async ({ id, asks, given }: { id: number; asks: string; given: never }) => {
  const found = answers[asks];
  const said = await Promise.resolve(found?.(given)).then(
    (answer) => ({ answer }),
    (problem: unknown) => ({ why: String(problem) }),
  );
  process.send?.({ id, ...said });
});
// The first message says that the double listens.
process.send?.({});
