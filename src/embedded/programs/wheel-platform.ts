const archNames: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** Whether a wheel's last tag (`manylinux2014_x86_64.musllinux_1_1_x86_64`, `macosx_11_0_arm64` …) names this machine. */
export function fitsThisPlatform(
  filename: string,
  platform: string = process.platform,
  arch: string = process.arch,
): boolean {
  const tags =
    filename
      .replace(/\.whl$/, '')
      .split('-')
      .at(-1)
      ?.split('.') ?? [];
  switch (platform) {
    case 'linux':
      return tags.some((tag) => /^(many|musl)?linux/.test(tag) && tag.endsWith(`_${archNames[arch]}`));
    case 'darwin':
      return tags.some((tag) => tag.startsWith('macosx_') && tag.endsWith(arch === 'arm64' ? '_arm64' : '_x86_64'));
    default:
      return false;
  }
}
