// The tray icon: the sync status in two words, and opening the window. The window can do everything that the tray can.

import { Menu, nativeImage, Tray } from 'electron';
import { syncStatusText } from '../../language/sync_status.ts';
import { t } from '../../language/texts.ts';
import type { EngineProcess } from './engine.ts';

/** A 32 × 32 icon, drawn here so that it needs no file. */
const lamp =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAwUlEQVR42mNgGAWjgAJwc4njfxAedQDdLIxf1/+fGDxgFtPEIeRaThVHUGo5xY4YUAdQy3KyHTHqgE/Hs6cTwrCCiBi15DigmxBGcgBBtaRaXk8MRnIAUepJcUAxMRjJAUSpJ8UB6cRgJAcQpZ5Yy6OJxUgOIFoPMQ7wIxYjOYBoPYQsdyIFIzmAJH34HGBGCkZyAEn68DlAixSM5ACS9OGyXI5UjOQAkvVic4AQIQyzkBAmxiyKGqGE8GiHZRSQAgDdUltj/htgwwAAAABJRU5ErkJggg==';

export interface TrayActs {
  readonly show: () => void;
  readonly quit: () => void;
}

export function openTray(engine: EngineProcess, { show, quit }: TrayActs): Tray {
  const tray = new Tray(nativeImage.createFromDataURL(lamp).resize({ width: 16, height: 16 }));
  tray.on('click', show);
  const draw = async () => {
    const status = await engine.call('sync.status', undefined).catch(() => undefined);
    const says = status ? syncStatusText(status).short : t('tray.starting');
    tray.setToolTip(`Carrel: ${says}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: says, enabled: false },
        { label: t('tray.open'), click: show },
        { label: t('sync.now'), click: () => void engine.call('sync.now', undefined).catch(() => undefined) },
        { type: 'separator' },
        { label: t('tray.quit'), click: quit },
      ]),
    );
  };
  engine.onNotice(({ changed }) => {
    if (changed.includes('status')) void draw();
  });
  void draw();
  return tray;
}
