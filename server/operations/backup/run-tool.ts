import { spawn } from 'node:child_process'

/**
 * Runs a program of PostgreSQL against a database. The password travels in the environment, since other users of the
 * machine can read arguments. Throws if the program is missing or fails; its own messages reach the terminal.
 */
export function runTool(
  program: 'pg_dump' | 'pg_restore',
  options: string[],
  url: string,
  environment: Record<string, string | undefined>,
): Promise<void> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const sslmode = searchParams.get('sslmode')
  const child = spawn(program, [...options, `--dbname=${decodeURIComponent(pathname.slice(1))}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...environment,
      PGHOST: hostname.replace(/^\[|\]$/g, ''),
      PGPORT: port || '5432',
      PGUSER: decodeURIComponent(username),
      ...(password ? { PGPASSWORD: decodeURIComponent(password) } : {}),
      ...(sslmode ? { PGSSLMODE: sslmode } : {}),
    },
  })
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new Error(`${program} was not found. Install the client programs of PostgreSQL.`)))
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${program} failed; see above. It must be of the server's major version or newer.`)),
    )
  })
}
