import { z } from 'zod';
import { closedObject } from '../located-yaml/closed-object';

/** A secret by the name of its variable: what is written down holds no secret (R10.4). */
export const secret = closedObject({ env: z.string().min(1).describe('Environment variable that holds the secret.') });
