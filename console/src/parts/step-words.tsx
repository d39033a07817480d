import { useEffect, useState } from 'preact/hooks';
import type { Answers } from '../../../src/gateway/answers';
import { get, pathOf, Refused } from '../data/api';
import { pretty } from '../words';
import { Loading, Trouble } from './told';

type Words = Answers['StepDocument'];

/** What the model said in a step, what it called with, and what it was answered. */
export function StepWords({ attemptId, step }: { readonly attemptId: string; readonly step: number }) {
  const [words, setWords] = useState<Words>();
  const [error, setError] = useState<Refused>();
  useEffect(() => {
    get<Words>(`${pathOf(attemptId)}/steps/${step}`).then(setWords, (failure) => {
      if (failure instanceof Refused) setError(failure);
    });
  }, [attemptId, step]);
  if (words === undefined) return error ? <Trouble error={error} /> : <Loading what="the step" />;
  return (
    <div class="words">
      {words.text !== '' && <blockquote>{words.text ?? 'It is long, and kept elsewhere.'}</blockquote>}
      {words.actions.map(({ index, tool, args, output }) => (
        <section key={index}>
          <h4>
            <code>{tool}</code>
          </h4>
          <pre>{args === null ? 'They are long, and kept elsewhere.' : pretty(args)}</pre>
          {output !== null && <pre class="output">{output}</pre>}
        </section>
      ))}
    </div>
  );
}
