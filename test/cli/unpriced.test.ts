import { checksOfConfig } from '../../src/cli/config-checks';
import { unpricedWords } from '../../src/cli/unpriced';
import { loadConfig } from '../../src/config';
import { configuredModels } from '../../src/config/models';
import { tempFolder } from '../support/temp-folder';

const own = { provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' } as const;
const models = configuredModels(
  {
    own,
    free: { ...own, price: { inputPerMTok: 0, outputPerMTok: 0 } },
    known: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  },
  {},
);

test('R6.2 a model without a price is named, with what follows; one that is free by its configuration is not', () => {
  expect(unpricedWords(models)).toMatch(/^price of own unknown: maxCostUsd cannot bite/);
  expect(unpricedWords(models, ['free', 'known'])).toBeUndefined();
});

test('R6.2 doctor says of a model of the environment that its price is unknown, and that is no failure', async () => {
  const env = { HOLDFAST_MODEL: 'm', HOLDFAST_MODEL_BASE_URL: 'http://127.0.0.1:1/v1' };
  const checks = checksOfConfig(loadConfig({ cwd: tempFolder('holdfast-prices-'), env }));
  const prices = checks.find(({ name }) => name === 'prices');
  expect(prices?.required).toBe(false);
  expect(await prices?.run()).toEqual({
    ok: false,
    found: '0 of 1 known',
    fix: expect.stringContaining('price of default unknown'),
  });
});
