/** What the embedded PostgreSQL is started with: an acknowledged commit is on the disk, and memory stays modest. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // a data folder's path can be longer than a socket's may be
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  // A worker, the command line's readers and a second worker during a restart, with pools of ten or twenty each.
  max_connections: '200',
  // Short statements only: compiling them costs more than it saves.
  jit: 'off',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] ',
};

export function postgresSettings(port: number): readonly string[] {
  return Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
