// The Electron app: one instance, one window, a tray, and the engine in its own process.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, ipcMain, powerMonitor, session, type Tray } from 'electron';
import { speak, spokenOf, t } from '../../language/texts.ts';
import { isChannel } from '../desk.ts';
import { type EngineProcess, startEngine } from './engine.ts';
import { openCalendarFile, openFile, revealLocalFile, revealSubmissions } from './files.ts';
import { announce } from './notifications.ts';
import { deskAddress } from './rules.ts';
import { declareSchemes, serveSchemes } from './schemes.ts';
import { tokenKeeper } from './token.ts';
import { openTray } from './tray.ts';
import { keepUpToDate } from './updates.ts';
import { denyPermissions, isOurSender, openSignIn, wallIn } from './walls.ts';
import { openWindow } from './window.ts';

const ui = join(import.meta.dirname, '../../ui');
let window: BrowserWindow | undefined;
let tray: Tray | undefined;
let engine: EngineProcess | undefined;
let isLeaving = false;

function show(address?: string) {
  if (!window || window.isDestroyed()) {
    window = openWindow();
    window.on('close', (event) => {
      // The sync continues in the tray.
      if (isLeaving || !tray) return;
      event.preventDefault();
      window?.hide();
    });
  }
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  if (address) void window.loadURL(`${deskAddress}${address}`).catch(() => undefined);
}

async function answer(engine: EngineProcess, channel: unknown, given: unknown): Promise<unknown> {
  if (!isChannel(channel)) throw new Error('Unknown channel.');
  const { id } = (given ?? {}) as { id?: number };
  if (channel === 'file.open') return openFile(engine, Number(id));
  if (channel === 'calendar.file') return openCalendarFile(engine, given);
  if (channel === 'file.reveal') return revealLocalFile(engine, Number(id));
  if (channel === 'folders.reveal') return revealSubmissions(engine, given);
  if (channel === 'account.browse') {
    const begun = await engine.call(channel, given as never);
    // The address comes from the metadata document of a server that the user has named; http is allowed only on this computer.
    await openSignIn(begun.address);
    return begun;
  }
  return engine.call(channel, given as never);
}

async function start() {
  app.setAppUserModelId('org.carrel.desk');
  speak(spokenOf(app.getPreferredSystemLanguages()));
  const store = process.env.CARREL_DATA ? join(process.env.CARREL_DATA, 'desk') : join(app.getPath('userData'), 'desk');
  mkdirSync(store, { recursive: true });
  const keeper = tokenKeeper(store);
  const started = startEngine({ store, folder: join(app.getPath('documents'), 'Carrel'), keeper });
  engine = started;
  denyPermissions(session.defaultSession);
  serveSchemes({ engine: started, ui });
  ipcMain.handle('channel', async (event, channel: unknown, given: unknown) => {
    if (!isOurSender(event)) return { why: 'This page may not call the engine.' };
    return answer(started, channel, given).then(
      (found) => ({ answer: found }),
      (failure: unknown) => ({ why: failure instanceof Error ? failure.message : String(failure) }),
    );
  });
  const tellBattery = (battery: boolean) => void started.call('transfers.around', { battery }).catch(() => undefined);
  tellBattery(powerMonitor.isOnBatteryPower());
  powerMonitor.on('on-battery', () => tellBattery(true));
  powerMonitor.on('on-ac', () => tellBattery(false));
  // Change notifications sent while the computer slept are lost, so sync now.
  powerMonitor.on('resume', () => void started.call('sync.now', {}).catch(() => undefined));
  started.onNotice((notice) => {
    if (window && !window.isDestroyed()) window.webContents.send('notice', notice);
  });
  tray = openTray(started, { show: () => show(), quit: () => app.quit() });
  keepUpToDate({ isInSight: () => window?.isFocused() ?? false });
  announce(started, { show, isInSight: () => window?.isFocused() ?? false });
  show();
  if (!(await keeper.keeps()))
    void dialog.showMessageBox({
      type: 'info',
      message: t('secrets.none'),
      detail: t('secrets.noneMeans'),
    });
}

declareSchemes();
if (!app.requestSingleInstanceLock()) app.quit();
else {
  app.enableSandbox();
  // A link to a file opens it in the reader, as in a browser.
  wallIn(app, (id) => void window?.loadURL(`${deskAddress}#/read/file/0/${id}`).catch(() => undefined));
  app.on('second-instance', () => show());
  app.on('activate', () => show());
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    isLeaving = true;
    if (!engine) return;
    // The engine finishes its current work first.
    event.preventDefault();
    const closing = engine;
    engine = undefined;
    void closing.close().finally(() => app.quit());
  });
  void app.whenReady().then(start);
}
