import { defaultLimits, type Limits } from '../../domain/budget/account';
import type { Session } from '../session';

/** The limits of an attempt: its own, else the tenant's, else the defaults. */
export function attemptLimits({ config, tenant }: Session, own: Partial<Limits> = {}): Limits {
  return { ...defaultLimits, ...config.tenants?.[tenant], ...own };
}
