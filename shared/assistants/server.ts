// A server of the Model Context Protocol with tools from a table.

import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { type Tool, ToolRefusal } from './tool';

async function resultOf<Source>(tool: Tool<Source>, input: unknown, source: Source) {
  try {
    const found = await tool.run(input, source);
    return { content: [{ type: 'text' as const, text: JSON.stringify(found) }] };
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    return { content: [{ type: 'text' as const, text: error.message }], isError: true };
  }
}

export function assistantServer<Source>(tools: readonly Tool<Source>[], source: Source, instructions: string): McpServer {
  const server = new McpServer({ name: 'carrel', title: 'Carrel', version: '1.0.0' }, { instructions });
  for (const tool of tools) {
    const { name, title, description, properties, required, writes } = tool;
    const inputSchema = fromJsonSchema({ type: 'object', properties, required, additionalProperties: false });
    const annotations = { title, readOnlyHint: !writes, destructiveHint: Boolean(writes), openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema, annotations }, (input: unknown) => resultOf(tool, input, source));
  }
  return server;
}
