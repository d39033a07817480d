import { join } from 'node:path';

/** Of the package: the same from the sources and from the built files. */
const folder = join(__dirname, '../../../examples/refund');

/** The parts of the example that are used where they are: its packages are found from there. */
export const refundExample = {
  folder,
  shopProgram: join(folder, 'shop.mjs'),
  configuration: join(folder, 'holdfast.yaml'),
  /** Whom the example's configuration gives the role that its policy asks. */
  approver: 'ana',
} as const;
