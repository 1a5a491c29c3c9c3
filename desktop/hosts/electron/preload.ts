// The only Electron functions of the UI: calling a channel and receiving change notices.

import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { ChangeNotice } from '../../contract/channels.ts';
import type { Bridge } from '../../ui/host.ts';

const bridge: Bridge = {
  async call(channel, given) {
    const { answer, why } = await ipcRenderer.invoke('channel', channel, given);
    if (why !== undefined) throw new Error(why);
    return answer;
  },
  onNotice(listener) {
    const hear = (_event: unknown, notice: ChangeNotice) => listener(notice);
    ipcRenderer.on('notice', hear);
    return () => void ipcRenderer.off('notice', hear);
  },
  async attach({ course_id, id }, file) {
    await bridge.call('work.attach', { course_id, id, name: file.name, path: webUtils.getPathForFile(file) });
  },
  attachToLetter: (file) => bridge.call('letter.attach', { name: file.name, path: webUtils.getPathForFile(file) }),
  readingsAt: 'course://reading',
  opensBrowser: true,
};

contextBridge.exposeInMainWorld('carrel', bridge);
