import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { type Config, configOfProcess } from '../../config';
import type { CommonOptions } from '../common-options';
import { refundExample } from './refund-example';

/** What is taken from the example's configuration; its own checks read all of it. */
const example = z.looseObject({
  mcp: z.object({ shop: z.looseObject({}) }),
  policies: z.array(z.string()),
  principals: z.record(z.string(), z.unknown()),
});
const written = z.looseObject({});

/** Named apart from a real one, so that an attempt of one is not gone on with by the other. */
const scriptedName = 'scripted';

export interface DemoServices {
  /** Undefined: models are configured, and are used. */
  readonly scriptedModelUrl?: string;
  readonly shopUrl: string;
}

/**
 * The configuration that a user would write: their own models, or the scripted one, and the example's tools, policy and
 * people. Written to a file, which the worker reads too.
 */
export function demoConfig(asked: Config, options: CommonOptions, { scriptedModelUrl, shopUrl }: DemoServices): Config {
  const { mcp, policies, principals } = example.parse(parse(readFileSync(refundExample.configuration, 'utf8')));
  const users = asked.file === undefined ? {} : written.parse(parse(readFileSync(asked.file, 'utf8')) ?? {});
  const shop = {
    ...mcp.shop,
    command: process.execPath,
    cwd: refundExample.folder,
    env: { SHOP_URL: shopUrl },
  };
  const { models, tenants, workspace } = users;
  const all = {
    ...(models !== undefined && { models }),
    ...(tenants !== undefined && { tenants }),
    ...(workspace !== undefined && { workspace }),
    ...(scriptedModelUrl !== undefined && { models: { [scriptedName]: scriptedModel(scriptedModelUrl) } }),
    mcp: { shop },
    policies: policies.map((path) => resolve(dirname(refundExample.configuration), path)),
    principals,
  };
  const file = join(asked.dataDir, 'demo', 'holdfast.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stringify(all));
  return configOfProcess({ ...options, config: file, dataDir: asked.dataDir });
}

function scriptedModel(baseUrl: string): object {
  return {
    provider: 'openai-compatible',
    model: 'scripted',
    baseUrl,
    quick: true,
    price: { inputPerMTok: 1, outputPerMTok: 4 },
    headers: { 'X-Step': '{attempt}/{step}' },
  };
}
