// Runs a Canvas MCP server as an MCP host does: a child process that reads and writes one JSON-RPC message per line.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { AnyJson } from './at';

export interface McpSession {
  /** The names of its tools. */
  readonly tools: readonly string[];
  /** @returns the content of the result, parsed. @throws Error with the tool's own message */
  call(tool: string, given: object): Promise<AnyJson>;
  end(): void;
}

interface Message {
  readonly id?: number;
  readonly result?: AnyJson;
  readonly error?: { readonly message: string };
}

/** @param program the script that the package installs as its command */
export async function openMcpSession(program: string, env: Readonly<Record<string, string>>): Promise<McpSession> {
  const child = spawn(process.execPath, [program], { env: { PATH: process.env.PATH, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (message: Message) => void>();
  let count = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    waiting.get(message.id ?? 0)?.(message);
    waiting.delete(message.id ?? 0);
  });
  child.once('exit', (code) => {
    for (const settle of waiting.values()) settle({ error: { message: `the MCP server ended with ${code}` } });
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = async (method: string, params: object): Promise<AnyJson> => {
    count += 1;
    const id = count;
    const { result, error } = await new Promise<Message>((settle) => {
      waiting.set(id, settle);
      send({ id, method, params });
    });
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'carrel tests', version: '1' } });
  send({ method: 'notifications/initialized' });
  const { tools } = await request('tools/list', {});
  return {
    tools: tools.map((tool: { name: string }) => tool.name),
    async call(tool, given) {
      const { content, isError } = await request('tools/call', { name: tool, arguments: given });
      const text = content.map((part: { text: string }) => part.text).join('\n');
      if (isError) throw new Error(`${tool}: ${text}`);
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    },
    end: () => child.kill(),
  };
}
