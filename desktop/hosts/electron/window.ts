// The window: sandboxed, isolated, and shown once it has content.

import { join } from 'node:path';
import { BrowserWindow, nativeTheme } from 'electron';
import { deskAddress, webPreferences } from './rules.ts';

export function openWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1240,
    height: 860,
    minWidth: 360,
    minHeight: 480,
    show: false,
    title: 'Carrel',
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#171513' : '#f5f0e5',
    webPreferences: { ...webPreferences, preload: join(import.meta.dirname, '../preload/preload.cjs') },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(deskAddress);
  return window;
}
