import type { Config } from '../../config';

/** The model of both tasks, whatever they name: the default one, else the first that is configured. */
export function demoModel({ models }: Config): string {
  const [first = 'default'] = Object.keys(models);
  return models['default'] === undefined ? first : 'default';
}
