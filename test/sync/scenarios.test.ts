// The scenarios, each played as it is told.

import { describe, test } from 'vitest';
import { playMine } from './scenarios/mine_stage';
import { myFolders } from './scenarios/my_folders';
import { scenarios } from './scenarios/scenarios';
import { play } from './scenarios/stage';

test.each(scenarios)('$says', play);

describe('the folders of “My files”', () => test.each(myFolders)('$says', playMine));
