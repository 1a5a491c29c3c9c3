// `carrel`: the desktop app on the command line.

import { run } from './run';

// Not awaited at the top level: the single executable is a CommonJS program, which cannot wait there.
void run();
