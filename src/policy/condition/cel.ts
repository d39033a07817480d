type Cel = typeof import('@marcbachmann/cel-js', { with: { 'resolution-mode': 'import' }});
/**
 * An ES module alone. Node loads it with require() from 20.19 on, which is also the oldest that the package runs on; so a
 * policy is read without a promise.
 */
const cel: Cel = require('@marcbachmann/cel-js');

/** A node of a condition. */
export type Node = import('@marcbachmann/cel-js', { with: { 'resolution-mode': 'import' }}).ASTNode;
export type CelEnvironment = InstanceType<Cel['Environment']>;

export const { Environment, serialize } = cel;
