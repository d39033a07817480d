import type { Refused } from '../data/api';

/** What went wrong, what to do, and where. */
export function Trouble({ error }: { readonly error: Refused | undefined }) {
  if (error === undefined) return null;
  const { detail, next, errors = [] } = error.problem;
  return (
    <div class="trouble" role="alert">
      <p>{detail}</p>
      {errors.map(({ at, why }) => (
        <p key={`${at}${why}`}>
          <code>{at}</code> {why}
        </p>
      ))}
      {next && <p class="dim">{next}</p>}
    </div>
  );
}

export const Loading = ({ what }: { readonly what: string }) => (
  <p class="dim" role="status">
    Reading {what} …
  </p>
);
