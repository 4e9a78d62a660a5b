import { spawnSync } from 'node:child_process'

/** Returns the commands of PostgreSQL's processes on a folder. */
export async function processesIn(folder: string): Promise<string[]> {
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'command='], { encoding: 'utf8' })
  return stdout.split('\n').filter((command) => command.includes(`${folder}/`) && !command.startsWith('ps '))
}
