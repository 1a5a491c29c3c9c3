// Puts together the static files that the Worker serves beside its own answers. wrangler runs it before every build.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const worker = join(dirname(dirname(fileURLToPath(import.meta.url))), 'worker');
const docs = join(worker, 'dist/assets/docs');

mkdirSync(docs, { recursive: true });
copyFileSync(join(worker, 'node_modules/@scalar/api-reference/dist/browser/standalone.js'), join(docs, 'scalar.js'));
copyFileSync(join(worker, 'site/docs/start.js'), join(docs, 'start.js'));
