// Updates: downloaded in the background from the configured address, installed when the app is closed.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, Notification } from 'electron';
import updater from 'electron-updater';
import { t } from '../../language/texts.ts';

const often = 6 * 3_600_000;

export function keepUpToDate({ isInSight }: { isInSight: () => boolean }) {
  // Packaging with an update address writes this file; a run from source has none.
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) return;
  const { autoUpdater } = updater;
  autoUpdater.autoDownload = true;
  // The engine finishes its work before the program ends, and only then is it replaced.
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.allowDowngrade = false;
  // On macOS a differential download fails, because the archive is modified after it is signed.
  autoUpdater.disableDifferentialDownload = process.platform === 'darwin';
  autoUpdater.logger = null;
  autoUpdater.on('error', () => undefined);
  autoUpdater.on('update-downloaded', ({ version }) => {
    if (!isInSight() && Notification.isSupported())
      new Notification({ title: t('update.ready', { version }), body: t('update.readyMeans') }).show();
  });
  // One at a time: two downloads would corrupt each other.
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    await autoUpdater.checkForUpdates().catch(() => undefined);
    isAsking = false;
  };
  void ask();
  setInterval(() => void ask(), often).unref();
}
