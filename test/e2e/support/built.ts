// Global setup of the browser tests: builds the UI and unpacks the browser once.

import { buildUi } from '@carrel/desktop/hosts/web/build';
import packaged from '@sparticuz/chromium';

export default async function prepare() {
  await buildUi();
  // The bundled browser is for Linux; other systems use an installed Chrome.
  await packaged.executablePath().catch(() => undefined);
}
