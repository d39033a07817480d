import { useState } from 'preact/hooks';
import type { Answers } from '../../../src/gateway/answers';
import { Trouble } from '../parts/told';
import { useAsked } from '../parts/use-asked';
import { go } from '../route';

const example = `task: hello
kind: dialog
goal: Answer the user's question in one paragraph.
input: What is a durable workflow?
`;

export function Start() {
  const [task, setTask] = useState('');
  const [again, setAgain] = useState(false);
  const { ask, busy, error } = useAsked<Answers['Started']>(({ attemptId }) =>
    go({ screen: 'attempt', attemptId, tab: 'timeline' }),
  );
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    void ask('/v1/attempts', { task, ...(again && { again }) });
  };
  return (
    <>
      <h1>Start a task</h1>
      <form class="start" onSubmit={start}>
        <label>
          Task file, YAML or JSON
          <textarea
            rows={16}
            required
            spellcheck={false}
            placeholder={example}
            value={task}
            onInput={(event) => setTask(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={again} onChange={(event) => setAgain(event.currentTarget.checked)} />
          Another attempt also where the task is completed
        </label>
        <Trouble error={error} />
        <button type="submit" disabled={busy}>
          {busy ? 'Starting …' : 'Start'}
        </button>
      </form>
    </>
  );
}
