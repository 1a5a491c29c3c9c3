// Reports the state of the network and the battery to the engine, as far as the browser knows it.

import { useEffect } from 'react';
import type { TransferConditions } from '../contract/transfers.ts';
import { call } from './host.ts';

interface Connection extends EventTarget {
  readonly type?: string;
  readonly saveData?: boolean;
}

interface Battery extends EventTarget {
  readonly charging: boolean;
}

interface Knowing extends Navigator {
  readonly connection?: Connection;
  readonly getBattery?: () => Promise<Battery>;
}

const tell = (result: Partial<TransferConditions>) => void call('transfers.around', result).catch(() => undefined);

export function useSurroundings(): void {
  useEffect(() => {
    const { connection, getBattery } = navigator as Knowing;
    const leaving = new AbortController();
    const { signal } = leaving;
    const onNetwork = () => tell({ metered: connection?.saveData === true || connection?.type === 'cellular' });
    if (connection) onNetwork();
    connection?.addEventListener('change', onNetwork, { signal });
    // In Electron the host reports the battery, even without a window.
    if (getBattery && !window.carrel)
      void getBattery.call(navigator).then(
        (battery) => {
          const onPower = () => tell({ battery: !battery.charging });
          if (signal.aborted) return;
          onPower();
          battery.addEventListener('chargingchange', onPower, { signal });
        },
        () => undefined,
      );
    return () => leaving.abort();
  }, []);
}
