import { stateWord, toneOf } from '../words';

export const StateBadge = ({ state }: { readonly state: string }) => (
  <span class={`badge ${toneOf(state)}`}>{stateWord(state)}</span>
);
