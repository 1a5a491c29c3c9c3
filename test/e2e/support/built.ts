// Before the browser tests: the ui is built once, and the browser is unpacked once.

import { buildUi } from '@carrel/desktop/hosts/web/build';
import packaged from '@sparticuz/chromium';

export default async function prepare() {
  await buildUi();
  // Elsewhere than on Linux there is none to unpack; an installed Chrome is used then.
  await packaged.executablePath().catch(() => undefined);
}
