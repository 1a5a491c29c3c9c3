// `carrel mcp`: the Model Context Protocol over standard input and output, so that an AI assistant can search and read the courses on this computer.

import { assistantServer } from '@carrel/shared/assistants/server';
import { untrustedTexts } from '@carrel/shared/assistants/tool';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Workspace } from '../engine/accounts/workspace';
import { deskTools } from './assistant_tools';

const instructions = `Carrel keeps courses on this computer, readable without a network. Begin with list_courses.
${untrustedTexts}
These tools only read. What they return is as of the last sync.`;

/** Serves until the assistant closes standard input. Standard output belongs to the protocol. */
export async function serveAssistant(workspace: Workspace): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  const serving = serveStdio(() => assistantServer(deskTools, workspace, instructions));
  await ended;
  await serving.close();
}
