import type { Body } from '../activities/ledger-port';

/** Where long texts of one tenant are kept (R10.3). Both reject where the object store cannot be reached. */
export interface Texts {
  store(text: string): Promise<Body>;
  load(body: Body): Promise<string>;
}
