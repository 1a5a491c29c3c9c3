// The scenarios, each run step by step.

import { describe, test } from 'vitest';
import { isWindows } from '../support/systems';
import { playMine } from './scenarios/mine_stage';
import { myFolders } from './scenarios/my_folders';
import { scenarios } from './scenarios/scenarios';
import { play } from './scenarios/stage';

/** Symbolic links need a right on Windows that users do not have. */
const needsLinks = ({ acts }: (typeof scenarios)[number]) => acts.some(([act]) => act === 'here links');
test.each(scenarios.filter((scenario) => !(isWindows && needsLinks(scenario))))('$says', play);

describe('the folders of “My files”', () => test.each(myFolders)('$says', playMine));
