import type { Answers } from '../../src/gateway/answers';
import { setToken, token } from './data/token';
import { usePolled } from './data/use-polled';
import { Keys } from './parts/keys';
import { Theme } from './parts/theme';
import { hrefOf, type Place, place } from './route';
import { AttemptScreen } from './screens/attempt';
import { Attempts } from './screens/attempts';
import { Cost } from './screens/cost';
import { Inbox } from './screens/inbox';
import { SignIn } from './screens/sign-in';
import { Start } from './screens/start';

/** A person who is asked something sees it within so long. */
const inboxPollMs = 3_000;

export function App() {
  return token.value === '' ? <SignIn /> : <SignedIn />;
}

const screens = { attempts: Attempts, inbox: Inbox, cost: Cost, start: Start };
const names: readonly (readonly [keyof typeof screens, string])[] = [
  ['attempts', 'Attempts'],
  ['inbox', 'Inbox'],
  ['cost', 'Cost'],
  ['start', 'Start'],
];

function SignedIn() {
  const { data: session } = usePolled<Answers['Session']>('/v1/session', 60_000);
  const { data: inbox, error } = usePolled<Answers['Inbox']>('/v1/inbox', inboxPollMs);
  const here = place.value;
  const waiting = inbox?.pending.length ?? 0;
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <header class="bar">
        <a class="brand" href={hrefOf({ screen: 'attempts' })}>
          Holdfast
        </a>
        <nav aria-label="Screens">
          {names.map(([screen, name]) => (
            <a key={screen} href={hrefOf({ screen })} aria-current={isHere(here, screen) ? 'page' : undefined}>
              {name}
              {screen === 'inbox' && waiting > 0 && <span class="count"> {waiting}</span>}
            </a>
          ))}
        </nav>
        <span class="who">
          {session && (
            <span title={`${session.roles.join(', ')}; sees what a ${session.audience} sees`}>
              {session.principal} · {session.tenant}
            </span>
          )}
          <Theme />
          <button type="button" class="quiet" onClick={() => setToken('')}>
            Sign out
          </button>
        </span>
      </header>
      {error?.problem.status === 0 && (
        <p class="line" role="status">
          The gateway does not answer. What you see is as it was; it is tried again by itself.
        </p>
      )}
      <main id="main">
        {here.screen === 'attempt' ? <AttemptScreen key={here.attemptId} {...here} /> : <Screen here={here} />}
      </main>
      <Keys />
    </>
  );
}

function Screen({ here }: { readonly here: Exclude<Place, { screen: 'attempt' }> }) {
  const Shown = screens[here.screen];
  return <Shown />;
}

const isHere = (here: Place, screen: string) =>
  here.screen === screen || (here.screen === 'attempt' && screen === 'attempts');
