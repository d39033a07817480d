import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSkills } from '../../src/tools/skills/load-skills';
import { readSkillTool } from '../../src/tools/skills/read-skill';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, rowsOf } from '../support/ledger-rows';
import { tempFolder } from '../support/temp-folder';
import { testVersions } from '../support/test-versions';

const folder = join(tempFolder('holdfast-skills-'), 'refunds');
mkdirSync(folder);
writeFileSync(
  join(folder, 'SKILL.md'),
  '---\nname: refunds\ndescription: How money is paid back.\n---\nLook the order up first.',
);
const skills = loadSkills([folder]);
const version = skills[0]?.version ?? '';
const requests: string[] = [];

let world: AttemptWorld;
beforeAll(async () => {
  const attempts = {
    skilled: { 1: { calls: [{ tool: 'read_skill', args: { name: 'refunds' } }] }, 2: { text: 'I look the order up.' } },
  };
  world = await attemptWorld({
    transcript: { attempts },
    tools: [readSkillTool(skills)],
    versions: { ...testVersions, skills: { refunds: version } },
    onRequest: (request) => requests.push(JSON.stringify(request.body())),
  });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

test('R12.1 a model reads a skill that its request lists, with the version that the attempt notes', async () => {
  const ref = await world.start({ task: 'skilled' });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await observations(world.pool, ref)).toMatchObject([
    { ok: true, text: `Skill refunds, version ${version}\n\nLook the order up first.` },
  ]);
  expect(requests).toHaveLength(2);
  for (const request of requests) expect(request).toContain('refunds: How money is paid back.');
  const noted = await rowsOf<{ body: { skills?: object } }>(
    world.pool,
    ref,
    'select body from attempt_versions where attempt = $1',
  );
  expect(noted).toMatchObject([{ body: { skills: { refunds: version } } }]);
});
