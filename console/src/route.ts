import { signal } from '@preact/signals';

/** Where the person is, by the part of the address after `#`. */
export type Place =
  | { readonly screen: 'attempts' | 'inbox' | 'cost' | 'start' }
  | { readonly screen: 'attempt'; readonly attemptId: string; readonly tab: Tab };
export const tabs = ['timeline', 'effects', 'facts', 'events'] as const;
export type Tab = (typeof tabs)[number];

export const hrefOf = (place: Place): string =>
  place.screen === 'attempt' ? `#/attempts/${place.attemptId}/${place.tab}` : `#/${place.screen}`;

export function placeOf(hash: string): Place {
  const [, task, number, tab] = /^#\/attempts\/([^/]+)\/(\d+)(?:\/(\w+))?$/.exec(hash) ?? [];
  if (task !== undefined)
    return { screen: 'attempt', attemptId: `${task}/${number}`, tab: tabs.find((one) => one === tab) ?? 'timeline' };
  const [, screen] = /^#\/(inbox|cost|start)$/.exec(hash) ?? [];
  return { screen: (screen ?? 'attempts') as 'attempts' | 'inbox' | 'cost' | 'start' };
}

export const place = signal<Place>(placeOf(location.hash));
addEventListener('hashchange', () => {
  place.value = placeOf(location.hash);
});

export const go = (to: Place): void => {
  location.hash = hrefOf(to);
};
