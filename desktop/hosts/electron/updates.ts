// Newer versions of the desk: fetched in the background from the place it was shipped with, put in when it is closed.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, Notification } from 'electron';
import updater from 'electron-updater';
import { t } from '../../ui/words/texts.ts';

const often = 6 * 3_600_000;

export function keepUpToDate({ isInSight }: { isInSight: () => boolean }) {
  // Written when it is packaged with a place for updates; a desk that runs from its sources has none.
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) return;
  const { autoUpdater } = updater;
  autoUpdater.autoDownload = true;
  // The engine finishes what it holds before the program ends, and only then is it replaced.
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.allowDowngrade = false;
  // On macOS pieces of an archive that was changed after it was signed do not add up.
  autoUpdater.disableDifferentialDownload = process.platform === 'darwin';
  autoUpdater.logger = null;
  autoUpdater.on('error', () => undefined);
  autoUpdater.on('update-downloaded', ({ version }) => {
    if (!isInSight() && Notification.isSupported())
      new Notification({ title: t('update.ready', { version }), body: t('update.readyMeans') }).show();
  });
  // One at a time: a second download beside the first would spoil both.
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
