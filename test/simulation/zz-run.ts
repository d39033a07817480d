import { simulateSeed } from '/work/main/test/simulation/run/simulation';
void (async () => {
  const from = Number(process.argv[2]); const n = Number(process.argv[3]);
  const reached: Record<string, number> = {}; let steps = 0; let redec = 0; const t0 = Date.now(); let bad = 0;
  const kinds: Record<string, number[]> = {};
  for (let s = from; s < from + n; s++) {
    const r = await simulateSeed(s);
    steps += r.steps; redec += r.redecisions;
    for (const [k, v] of Object.entries(r.reached)) reached[k] = (reached[k] ?? 0) + v;
    if (r.violations.length) { bad++; for (const v of r.violations) { const key = v.rule + ' ' + v.what.slice(0,160).replace(/[0-9a-f]{8,}/g,'#'); (kinds[key.replace(/\d+/g,'N')] ??= []).push(s); } }
  }
  console.log('ms/seed', (Date.now() - t0) / n, 'steps/seed', steps / n, 'redecisions', redec, 'bad', bad);
  if (process.argv[4]) console.log(reached);
  for (const [k, v] of Object.entries(kinds)) console.log(v.length, k, v.slice(0, 5).join(' '));
})();
