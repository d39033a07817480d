import type { Config } from '../config';
import { howToNameModels } from '../config/how-to-name-models';
import type { Check, CheckResult } from '../embedded/checks';
import { databaseChecks } from './database-checks';
import { policyChecks } from './policy-checks';
import { unpriced, unpricedWords } from './unpriced';

/** What `doctor` can say of the configuration without asking a provider, which would cost money. */
export function checksOfConfig(config: Config): readonly Check[] {
  return [
    {
      name: 'configuration',
      required: true,
      run: async () => ({ ok: true, found: config.file ?? 'no holdfast.yaml here' }),
    },
    { name: 'models', required: true, run: async () => modelsResult(config) },
    { name: 'prices', required: false, run: async () => pricesResult(config) },
    ...databaseChecks(config),
    ...policyChecks(config),
  ];
}

function modelsResult({ models }: Config): CheckResult {
  const names = Object.keys(models);
  if (names.length === 0) {
    return {
      ok: false,
      found: 'none',
      fix: `To have one, ${howToNameModels}.`,
    };
  }
  const keyless = names.filter((name) => {
    const model = models[name];
    return model?.provider !== 'openai-compatible' && !model?.apiKey?.();
  });
  const found = names.map((name) => `${name} (${models[name]?.provider} ${models[name]?.model})`).join(', ');
  if (keyless.length === 0) return { ok: true, found };
  return { ok: false, found, fix: `No key is set for ${keyless.join(', ')}: set the variable that apiKey names.` };
}

function pricesResult({ models }: Config): CheckResult {
  const fix = unpricedWords(models);
  const known = Object.keys(models).length - unpriced(models).length;
  return { ok: fix === undefined, found: `${known} of ${Object.keys(models).length} known`, ...(fix && { fix }) };
}
