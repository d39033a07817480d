import { z } from 'zod';
import { delegateTool } from '../domain/child/child-contract';
import { delegationSchema } from '../domain/child/delegation';
import { defineTool } from './define-tool';

const { $schema: _draft, ...schema } = z.toJSONSchema(delegationSchema, { io: 'input' });

/** Of a strict object; what its arguments are, delegationSchema says. */
type Schema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, never>>;
  readonly additionalProperties: false;
};

/** Has a part of the work done by a child agent; the runtime itself begins it (R15.1). */
export const delegate = defineTool({
  name: delegateTool,
  description:
    'Has a part of your work done by a child agent, which knows nothing but the goal that you write, and answers when it is over. Several of one answer work side by side. It gets your tools or some of them, its own copy of your files as they are now, and a share of your budget.',
  schema: schema as unknown as Schema,
  effect: 'control',
  quick: true,
  timeoutMs: 5_000,
});
