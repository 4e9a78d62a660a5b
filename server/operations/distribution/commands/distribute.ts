import { z } from 'zod'
import { DistributionRefused, distribute, planDistribution } from '../distribute.ts'

/** `npm run distribute` says what it would do to the database, and does it with `-- --yes`. */
async function main(flags: string[], environment: Record<string, string | undefined>): Promise<void> {
  const url = z
    .url({ protocol: /^postgres(ql)?$/ })
    .safeParse(environment.DATABASE_DIRECT_URL || environment.DATABASE_URL)
  if (!url.success) throw new Error('DATABASE_URL must be set to the postgres:// address of the coordinator.')
  const { nodes, user, reference } = await planDistribution(url.data)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const bytes = [...user, ...reference].reduce((sum, table) => sum + table.bytes, 0)
  say(`Nodes that hold shards: ${nodes.join(', ')}.`)
  say(`To distribute by user: ${user.map(({ name }) => name).join(', ') || 'nothing'}.`)
  say(`To copy to every node: ${reference.map(({ name }) => name).join(', ') || 'nothing'}.`)
  say(`${Math.ceil(bytes / 1_000_000)} MB move. All other tables and the queues stay on the coordinator.`)
  if (!flags.includes('--yes')) {
    say('Nothing was changed. Back up, and run "npm run distribute -- --yes".')
    return
  }
  await distribute(url.data, say)
  say('The database is distributed. Start Hapax.')
}

main(process.argv.slice(2), process.env).then(
  () => process.exit(0),
  (error: Error) => {
    const code = error instanceof DistributionRefused ? `${error.code}: ` : ''
    process.stderr.write(`The database was not distributed. ${code}${error.message}\n`)
    process.exit(1)
  },
)
