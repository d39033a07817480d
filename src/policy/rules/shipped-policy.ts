import { join } from 'node:path';

/** What holds where configuration names no policy: `policy/default.yaml` beside the program. */
export const shippedPolicy = join(__dirname, '..', '..', '..', 'policy', 'default.yaml');
