import { setToken } from '../data/token';

export function SignIn() {
  const enter = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get('token');
    setToken(String(given ?? '').trim());
  };
  return (
    <main class="sign-in" id="main">
      <h1>Holdfast</h1>
      <p>
        Come in with a token. <code>holdfast up</code> prints an address that has one;{' '}
        <code>holdfast token create</code> makes others.
      </p>
      <form onSubmit={enter}>
        <label>
          Token
          <input name="token" type="password" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Come in</button>
      </form>
    </main>
  );
}
