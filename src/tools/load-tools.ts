import type { ToolPort } from '../activities/ports';
import type { EffectClass } from '../domain/effect/effect';
import type { McpServerConfig } from './mcp/mcp-config';
import type { McpLog } from './mcp/mcp-log';
import type { StartedMcp } from './mcp/start-mcp';
import { checkCompensations } from './modules/check-compensations';
import { loadToolModules } from './modules/load-tool-modules';
import { createRegistry, type ToolSource } from './registry';
import { loadSkills } from './skills/load-skills';
import { readSkillTool } from './skills/read-skill';
import type { Skill } from './skills/skill';

/** Where tools come from beside those that are built in. */
export interface ToolsConfig {
  /** Absolute paths. */
  readonly toolModules: readonly string[];
  readonly mcp: readonly McpServerConfig[];
  /** Absolute. */
  readonly skillFolders: readonly string[];
}
export interface LoadedTools {
  readonly tools: ToolPort;
  readonly skills: readonly Skill[];
  /** Ends the MCP servers; within 5 s. Can be called again. */
  close(): Promise<void>;
}

/**
 * Every tool of the installation, its MCP servers running. Rejects, with nothing left running, where a module or a server
 * is wrong, or two tools have one name.
 */
export async function loadTools({ toolModules, mcp, skillFolders }: ToolsConfig, log: McpLog): Promise<LoadedTools> {
  const skills = loadSkills(skillFolders);
  const modules = await loadToolModules(toolModules);
  const { sources, close } = await startServers(mcp, log);
  try {
    const tools = createRegistry([], [...modules, ...sources, ...ofSkills(skills)]);
    checkCompensations(modules, tools, { all: true });
    return { tools, skills, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What can be known of the tools without starting a server. */
export interface KnownTools {
  /** The built-in ones and those of modules. */
  readonly tools: ToolPort;
  /** Those of MCP servers that configuration names. */
  readonly ofServers: readonly { readonly name: string; readonly effect: 'none' | EffectClass }[];
  /** There are MCP servers, and they may have more tools than are named. */
  readonly more: boolean;
}

export async function knownTools({ toolModules, mcp, skillFolders }: ToolsConfig): Promise<KnownTools> {
  const modules = await loadToolModules(toolModules);
  const tools = createRegistry([], [...modules, ...ofSkills(loadSkills(skillFolders))]);
  checkCompensations(modules, tools, { all: mcp.length === 0 });
  return {
    tools,
    ofServers: mcp.flatMap(({ prefix, tools }) =>
      Object.entries(tools).map(([name, { effect }]) => ({ name: prefix + name, effect })),
    ),
    more: mcp.length > 0,
  };
}

const ofSkills = (skills: readonly Skill[]): readonly ToolSource[] =>
  skills.length === 0 ? [] : [{ origin: 'the skills', tools: [readSkillTool(skills)], always: true }];

async function startServers(mcp: readonly McpServerConfig[], log: McpLog): Promise<StartedMcp> {
  if (mcp.length === 0) return { sources: [], close: async () => {} };
  // The client takes 200 ms to load, which an installation without servers does not wait for.
  const { startMcp } = require('./mcp/start-mcp') as typeof import('./mcp/start-mcp');
  return startMcp(mcp, log);
}
