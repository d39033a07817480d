import type {
  JobWork,
  ProbeResult,
  SendResult,
  ToolDefinition,
  ToolPort,
  ToolResult,
  WriteTool,
} from '../activities/ports';
import type { ModelFacingError } from '../domain/failure/failure';
import type { Hide } from '../domain/secrets/hide-secrets';

/**
 * The same tools, whose texts hold no secret that is known here (R10.4): what they answer, refuse and throw is written down, shown
 * to a model and told to people from here on. Arguments, and what `prepare` hands to `send`, are not touched.
 */
export function withoutSecrets(tools: ToolPort, hide: Hide): ToolPort {
  const made = new Map<ToolDefinition, ToolDefinition>();
  const clean = (tool: ToolDefinition): ToolDefinition => {
    const known = made.get(tool) ?? cleanTool(tool, hide);
    made.set(tool, known);
    return known;
  };
  return {
    names: () => tools.names(),
    get(name) {
      const tool = tools.get(name);
      return tool && clean(tool);
    },
    offered: (named, forbidden) => tools.offered(named, forbidden).map(clean),
  };
}

function cleanTool(tool: ToolDefinition, hide: Hide): ToolDefinition {
  if (tool.effect === 'control') return tool;
  if ('run' in tool)
    return {
      ...tool,
      run: async (args, context) => cleanResult(await throwing(hide, () => tool.run(args, context)), hide),
    };
  const { prepare } = tool;
  const write = {
    ...(tool.job && { job: cleanJob(tool.job, hide) }),
    ...(prepare && {
      prepare: ((args, context) => throwing(hide, () => prepare(args, context))) as WriteTool['prepare'],
    }),
    send: (async (key, prepared, context) =>
      cleanSent(await throwing(hide, () => tool.send(key, prepared, context)), hide)) as WriteTool['send'],
  };
  if (tool.effect !== 'probed') return { ...tool, ...write } as ToolDefinition;
  return {
    ...tool,
    ...write,
    probe: async (key, args, context) => cleanProbe(await throwing(hide, () => tool.probe(key, args, context)), hide),
  } as ToolDefinition;
}

const cleanError = (error: ModelFacingError, hide: Hide): ModelFacingError => ({
  ...error,
  message: hide(error.message),
  suggested_action: hide(error.suggested_action),
});

const cleanResult = (result: ToolResult, hide: Hide): ToolResult =>
  result.ok ? { ...result, output: hide(result.output) } : { ...result, error: cleanError(result.error, hide) };

function cleanSent(sent: SendResult, hide: Hide): SendResult {
  switch (sent.kind) {
    case 'committed':
      return { ...sent, output: hide(sent.output) };
    case 'pending':
      return sent;
    case 'rejected':
      return { ...sent, error: cleanError(sent.error, hide) };
  }
}

function cleanJob(job: JobWork, hide: Hide): JobWork {
  const { poll, cancel } = job;
  return {
    ...job,
    shownAs: hide,
    ...(poll && {
      poll: async (handle, context) => {
        const answer = await throwing(hide, () => poll(handle, context));
        return answer.kind === 'running' ? answer : { ...answer, output: hide(answer.output) };
      },
    }),
    ...(cancel && { cancel: (handle, context) => throwing(hide, () => cancel(handle, context)) }),
  };
}

const cleanProbe = (found: ProbeResult, hide: Hide): ProbeResult =>
  found.kind === 'committed' ? { ...found, output: hide(found.output) } : found;

/** What is thrown stays what it is, with its typed facts; only its words are other ones. */
async function throwing<T>(hide: Hide, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof error === 'string') throw hide(error);
    const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined;
    if (typeof message !== 'string' || typeof error !== 'object' || error === null) throw error;
    const clean = hide(message);
    if (clean === message || setMessage(error, clean)) throw error;
    throw new Error(clean); // frozen: its words may not be shown, whatever else it says
  }
}

function setMessage(error: object, message: string): boolean {
  try {
    return Reflect.set(error, 'message', message) && Reflect.get(error, 'message') === message;
  } catch {
    return false;
  }
}
