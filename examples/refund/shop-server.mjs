#!/usr/bin/env node
// The shop's MCP server, over stdio. SHOP_URL says where the shop is.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { callShop } from './mcp/call-shop.mjs';
import { tools } from './mcp/tools.mjs';

const shopUrl = process.env.SHOP_URL ?? 'http://127.0.0.1:4010';

serveStdio(() => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  for (const { name, description, inputSchema, readOnly = false, request } of tools) {
    server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint: readOnly } }, (args, context) =>
      callShop(shopUrl, request(args), context.mcpReq.signal),
    );
  }
  return server;
});
