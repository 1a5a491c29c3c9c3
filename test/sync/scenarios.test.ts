import { test } from 'vitest';
import { scenarios } from './scenarios/scenarios';
import { play } from './scenarios/stage';

test.each(scenarios)('$says', play);
