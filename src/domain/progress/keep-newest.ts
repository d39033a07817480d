/** Sets an entry and keeps the newest `max`; the one that was set last is at the end. */
export function keepNewest<V>(map: Map<string, V>, key: string, max: number, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
