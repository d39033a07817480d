import type { Answers } from '../../../src/gateway/answers';
import { clock } from '../words';

/** What it is to meet, and what it runs on. */
export function Facts({ document }: { readonly document: Answers['AttemptDocument'] }) {
  const { checks, versions, workspace, checkpoints, thread } = document;
  return (
    <>
      {checks.length > 0 && (
        <section>
          <h2>Checks</h2>
          <ul>
            {checks.map(({ id, check, met, detail, output }) => (
              <li key={id}>
                <span class={`badge ${met === null ? 'plain' : met ? 'good' : 'bad'}`}>
                  {met === null ? 'not checked' : met ? 'met' : 'not met'}
                </span>{' '}
                {id} <span class="dim">{check}</span> {detail}
                {output && <pre>{output}</pre>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>What it runs on</h2>
        <dl class="facts">
          <dt>Begun</dt>
          <dd>
            {clock(document.createdAt)}
            {document.startedBy && ` by ${document.startedBy}`}
          </dd>
          {workspace && (
            <>
              <dt>Repository</dt>
              <dd>
                <code>{workspace.git}</code> at {workspace.ref}
              </dd>
              {workspace.branch && (
                <>
                  <dt>Result</dt>
                  <dd>
                    <code>{workspace.branch}</code>
                  </dd>
                </>
              )}
            </>
          )}
          {Object.entries(versions).map(([name, version]) => (
            <>
              <dt key={name}>{name}</dt>
              <dd>{Array.isArray(version) ? version.join(', ') : String(version)}</dd>
            </>
          ))}
          <dt>Workflow</dt>
          <dd>
            <code>{document.workflowId}</code>
          </dd>
        </dl>
      </section>
      {thread.length > 1 && (
        <section>
          <h2>Conversation</h2>
          <ol>
            {thread.map(({ attemptId, state }) => (
              <li key={attemptId}>
                <a href={`#/attempts/${attemptId}`}>{attemptId}</a> {state.toLowerCase()}
              </li>
            ))}
          </ol>
        </section>
      )}
      {checkpoints.length > 0 && (
        <section>
          <h2>Checkpoints</h2>
          <ul>
            {checkpoints.map(({ checkpoint, writtenAt, state, step }) => (
              <li key={checkpoint}>
                <code>{checkpoint}</code> <span class="dim">{clock(writtenAt)}</span> {state?.toLowerCase()}{' '}
                {step !== null && `step ${step}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
