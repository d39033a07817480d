import { useEffect, useRef } from 'preact/hooks';
import { go } from '../route';

const keys: Readonly<Record<string, readonly [string, () => void]>> = {
  a: ['the attempts', () => go({ screen: 'attempts' })],
  i: ['the inbox', () => go({ screen: 'inbox' })],
  c: ['the cost', () => go({ screen: 'cost' })],
  s: ['start a task', () => go({ screen: 'start' })],
  '/': ['search', () => document.querySelector<HTMLElement>('input[type=search]')?.focus()],
};

/** Keys that lead somewhere; `?` shows them. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof Element && target.closest('input, textarea, select, dialog')) return;
      if (key === '?') dialog.current?.showModal();
      const known = keys[key];
      if (known === undefined) return;
      event.preventDefault();
      known[1]();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="facts">
        {Object.entries(keys).map(([key, [what]]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
