import type { Answers } from '../../../src/gateway/answers';
import { usePolled } from '../data/use-polled';
import { PendingCard } from '../parts/pending-card';
import { Loading, Trouble } from '../parts/told';

const pollMs = 2_000;

export function Inbox() {
  const { data, error, again } = usePolled<Answers['Inbox']>('/v1/inbox', pollMs);
  return (
    <>
      <h1>Inbox</h1>
      <Trouble error={error} />
      {data === undefined && error === undefined && <Loading what="the inbox" />}
      {data?.pending.length === 0 && <p class="empty">Nobody is waited for.</p>}
      {data?.pending.map((pending) => (
        <PendingCard key={keyOf(pending)} pending={pending} onDone={again} />
      ))}
    </>
  );
}

/** Another request under the same action is another card, with nothing typed into it. */
export const keyOf = (pending: Answers['Inbox']['pending'][number]): string =>
  [
    pending.attemptId,
    pending.kind,
    'actionId' in pending ? pending.actionId : '',
    'binding' in pending ? pending.binding : pending.text,
  ].join(' ');
